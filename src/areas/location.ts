import type { Area, Level, Location } from './store.ts';

/** The result of a look-up of a point, by code. */
interface FoundCodes {
  /** The area of each level whose boundary contains the point. */
  readonly inside: Readonly<Partial<Record<Level, string>>>;
  /** The nearest area of the searched level, where one was looked for and found. */
  readonly near: string | null;
  /** Metres from the point to `near`; 0 without one. */
  readonly distance: number;
  /** Resolves the code of an area that was found, or of one of its parents. */
  readonly areaWith: (code: string) => Area | null;
}

/** The level whose boundaries are searched for a point. A sub-municipality is known from its barangay. */
export function searchedLevel(level: Area['level']): Level {
  return level === 'submunicipality' ? 'barangay' : level;
}

/**
 * What lies at a point, down to a level: the areas that contain it or the nearest one, with their parents. Distances have one
 * decimal, metres.
 */
export function locationOf(level: Area['level'], { inside, near: nearCode, distance, areaWith }: FoundCodes): Location {
  const areaOf = (code: string | null | undefined): Area | null => (code ? areaWith(code) : null);
  const searched = searchedLevel(level);
  const nearest = inside[searched] ? null : areaOf(nearCode);
  // A barangay without a sub-municipality does not answer a request for a sub-municipality.
  const near = level === 'submunicipality' && inside.municity && !nearest?.submunicipalityCode ? null : nearest;
  const municity = areaOf(inside.municity ?? (near?.level === 'municity' ? near.code : near?.municityCode));
  const barangay =
    searched === 'barangay' ? areaOf(inside.barangay ?? (near?.level === 'barangay' ? near.code : null)) : null;
  // The province around a city that is independent of it is its host, not its parent.
  const place = municity ?? near;
  const province = areaOf(
    inside.province ?? (near?.level === 'province' ? near.code : (near?.provinceCode ?? near?.hostProvinceCode)),
  );
  const isIndependent = place !== null && place.level !== 'province' && place.provinceCode === null;
  const isInside = Object.keys(inside).length > 0;
  const hasProvince = level !== 'region';
  return {
    match: near ? 'nearest' : isInside ? 'contains' : null,
    distance: near ? Math.round(distance * 10) / 10 : isInside ? 0 : null,
    region: areaOf(inside.region ?? (near?.level === 'region' ? near.code : near?.regionCode)),
    province: hasProvince && !isIndependent ? province : null,
    hostProvince: hasProvince && isIndependent ? (province ?? areaOf(place.hostProvinceCode)) : null,
    municity: searched === 'municity' || searched === 'barangay' ? municity : null,
    submunicipality: areaOf(barangay?.submunicipalityCode),
    barangay: level === searched ? barangay : null,
  };
}

/** The finest area at a point. */
export function finestOf(at: Location): Area | null {
  return at.barangay ?? at.submunicipality ?? at.municity ?? at.province ?? at.hostProvince ?? at.region;
}
