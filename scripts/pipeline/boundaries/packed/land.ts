import { byCode } from '../../../../src/editions/link.ts';
import { compareEditions } from '../../editions/compare.ts';
import { editionOf } from '../../editions/edition.ts';
import type { Area } from '../../psgc/area.ts';
import type { Unit } from '../topology/country.ts';

/** The compared facts of a list of areas. */
type List = Parameters<typeof editionOf>[0];

/**
 * Maps units of land from the codes of one edition to those of another. Land of a barangay that was divided, or of
 * several that were one, belongs to the city or municipality alone. Land that only a region has, and no province or
 * city, belongs to nobody once a part of the region is another's.
 */
export function landIn(units: readonly Unit[], before: List, after: List): Unit[] {
  if (before.edition === after.edition || units.length === 0) return [...units];
  const { unchanged, continuations, links } = compareEditions(editionOf(before), editionOf(after));
  const targets = byCode(links, 'from');
  const earlier = new Map(before.areas.map((area) => [area.code, area]));
  const later = new Map(after.areas.map((area) => [area.code, area]));
  /** The successor of an area, or the only area that it became a part of. */
  const now = (code: string | null): Area | undefined => {
    if (code === null) return undefined;
    const [only, ...others] = targets.get(code) ?? [];
    const sole = only && others.length === 0 ? only.to : '';
    return later.get(unchanged.has(code) ? code : (continuations.get(code)?.code ?? sole));
  };
  /** The barangay that has all of the land of one. */
  const barangayNow = (code: string | null) => ((targets.get(code ?? '') ?? []).length > 1 ? undefined : now(code));
  const moved = units.map((unit): Unit => {
    const barangay = barangayNow(unit.barangay);
    // A barangay may be drawn in another city or municipality than its own.
    const isInOwn = earlier.get(unit.barangay ?? '')?.municityCode === unit.municity;
    const holder = barangay && isInOwn ? barangay : undefined;
    const municity = holder ? later.get(holder.municityCode ?? '') : now(unit.municity);
    const province = municity ? provinceAround(municity, later) : (now(unit.province)?.code ?? null);
    const submunicipality = holder ? holder.submunicipalityCode : now(unit.submunicipality)?.code;
    return {
      barangay: barangay?.code ?? null,
      submunicipality: submunicipality ?? null,
      municity: municity?.code ?? null,
      province,
      region: municity?.regionCode ?? later.get(province ?? '')?.regionCode ?? now(unit.region)?.code ?? null,
    };
  });
  // Specks that only a region has lie along all of its coast. It is unknown which of them went with the part that left.
  const divided = new Set(
    units.flatMap(({ region, municity }, i) => (municity && now(region)?.code !== moved[i]?.region ? region : [])),
  );
  return moved.map((unit, i) => {
    const { region, province, municity } = units[i] as Unit;
    return !municity && !province && divided.has(region) ? { ...unit, region: null } : unit;
  });
}

/** The province in whose boundary a city or municipality lies: its own, or that of its region which hosts it. */
function provinceAround(
  { provinceCode, hostProvinceCode, regionCode }: Area,
  areas: ReadonlyMap<string, Area>,
): string | null {
  if (provinceCode !== null) return provinceCode;
  return areas.get(hostProvinceCode ?? '')?.regionCode === regionCode ? hostProvinceCode : null;
}
