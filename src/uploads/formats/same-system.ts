import { DEGREE, FRAME, isProjection, keyOf, type Part, partsIn, partsOf, systemIn } from './system-text.ts';

/** What makes a reference system the same as another. */
export interface SystemDescription {
  readonly name: string;
  /** What its datum is called by one program or another. */
  readonly datums: readonly string[];
  /** The projection; empty for one in degrees. */
  readonly method: string;
  /** The prime meridian, the ellipsoid, units, and what the projection is given, each by what it is for. */
  readonly numbers: ReadonlyMap<string, number>;
}

/** A system that the database knows. */
export interface KnownSystem {
  readonly srid: number;
  /** Well-known text. */
  readonly text: string;
}

/** A regular expression of the database that fits the text of every system that may be the same, and of few others. */
export function patternOf({ method, numbers }: SystemDescription): string {
  const whole = (role: string) => `-?${Math.abs(Math.trunc(numbers.get(role) ?? 0))}`;
  const axis = `",${whole('axis')}[.,]`;
  if (method === '') return `^GEOGCS.*${axis}`;
  return `^PROJCS.*${axis}.*"(central_meridian|longitude_of_cent[a-z]+)",${whole('meridian')}[].,]`;
}

/** The first system that a description fits, one of the same name before others; undefined where it fits none. */
export function sridOfSame(described: SystemDescription, systems: readonly KnownSystem[]): number | undefined {
  const same = systems.flatMap(({ srid, text }) => {
    const other = descriptionOf(partsOf(text, 'the database'));
    return other && isSame(described, other) ? [{ srid, name: other.name }] : [];
  });
  return (same.find(({ name }) => name === described.name) ?? same[0])?.srid;
}

function isSame(one: SystemDescription, other: SystemDescription): boolean {
  if (one.method !== other.method || !one.datums.some((datum) => other.datums.includes(datum))) return false;
  const roles = new Set([...one.numbers.keys(), ...other.numbers.keys()]);
  return [...roles].every((role) => {
    const [a, b] = [one, other].map(({ numbers }) => numbers.get(role) ?? (role === 'scale' ? 1 : 0));
    return Math.abs((a as number) - (b as number)) <= Math.max(1e-9, Math.abs(b as number) * 1e-7);
  });
}

/** What parameters of projections are for, in the words of the OGC, of Esri and of EPSG. */
const ROLES = [
  { role: 'meridian', name: /^(?:centralmeridian|longitudeof)/ },
  { role: 'latitude', name: /^latitudeof(?!.*standardparallel)/ },
  { role: 'secondParallel', name: /^standardparallel2$|2ndstandardparallel$/ },
  { role: 'firstParallel', name: /standardparallel1?$/ },
  { role: 'scale', name: /^scalefactor/ },
  { role: 'easting', name: /^(?:falseeasting|eastingat)/ },
  { role: 'northing', name: /^(?:falsenorthing|northingat)/ },
] as const;

/** Names of projections that are for one. */
const METHODS = [
  { method: 'tm', name: /^(?:transversemercator|gausskruger)$/ },
  { method: 'lcc', name: /^lambertconic(?:al)?conformal|^lambertconformalconic/ },
  { method: 'aea', name: /^albers/ },
  { method: 'laea', name: /^lambertazimuthalequalarea$/ },
] as const;

/** What a description says of its system; undefined where it has a parameter or a unit whose use is not known. */
export function descriptionOf(parts: readonly Part[]): SystemDescription | undefined {
  const system = systemIn(parts);
  if (!system) return undefined;
  const { inside, find } = partsIn(system, parts);
  const isProjected = isProjection(system);
  const [, axis = 0, flattening = 0] = (find(/\/(?:SPHEROID|ELLIPSOID)$/) ?? []).map(Number);
  const numbers = new Map([
    ['prime', Number(find(/\/PRIMEM$/)?.[1] ?? 0)],
    ['axis', axis],
    ['flattening', flattening],
    ['degree', Number(find(isProjected ? /GEOGCS\/UNIT$|ANGLEUNIT$/ : /^\/UNIT$|ANGLEUNIT$/)?.[1] ?? DEGREE)],
  ]);
  if (isProjected) numbers.set('metre', Number(find(/^\/(?:LENGTH)?UNIT$|\/(?:CS|AXIS)\/LENGTHUNIT$/)?.[1] ?? 1));
  for (const { path, values } of inside) {
    if (!path.endsWith('/PARAMETER')) continue;
    const role = ROLES.find(({ name }) => name.test(keyOf(values[0])))?.role;
    if (role === undefined) return undefined;
    numbers.set(role, Number(values[1]));
  }
  // Two parallels are the same in either order.
  const parallels = [numbers.get('firstParallel'), numbers.get('secondParallel')].filter((each) => each !== undefined);
  for (const [i, parallel] of parallels.toSorted((a, b) => b - a).entries()) numbers.set(`parallel${i}`, parallel);
  numbers.delete('firstParallel');
  numbers.delete('secondParallel');
  const method = keyOf(find(/\/(?:PROJECTION|METHOD)$/)?.[0]);
  return {
    name: keyOf(system.values[0]),
    datums: [find(/\/(?:DATUM|ENSEMBLE)$/)?.[0], find(FRAME)?.[0], isProjected ? undefined : system.values[0]]
      .map(datumKeyOf)
      .filter((key) => key !== ''),
    method: METHODS.find(({ name }) => name.test(method))?.method ?? method,
    numbers,
  };
}

/** The name of a datum without what programs put before it, and without its century: `D_North_American_1983`, `NAD83`. */
function datumKeyOf(name: string | undefined): string {
  return keyOf(name?.replace(/^(?:D|GCS)_|datum|reference.?system/gi, '')).replace(/19(?=\d\d$)/, '');
}
