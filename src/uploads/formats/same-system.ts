import { DEGREE, FRAME, isProjection, keyOf, type Part, partsIn, partsOf, systemIn } from './system-text.ts';

/** The identity of a reference system. */
export interface SystemDescription {
  readonly name: string;
  /** Names of its datum in various programs. */
  readonly datums: readonly string[];
  /** The projection; empty for a system in degrees. */
  readonly method: string;
  /** Prime meridian, ellipsoid, units and projection parameters, by role. */
  readonly numbers: ReadonlyMap<string, number>;
}

/** A reference system of the database. */
export interface StoredSystem {
  readonly srid: number;
  /** Well-known text. */
  readonly text: string;
}

/** A PostgreSQL regular expression that matches the text of every possibly equal system, and of few others. */
export function patternOf({ method, numbers }: SystemDescription): string {
  const whole = (role: string) => `-?${Math.abs(Math.trunc(numbers.get(role) ?? 0))}`;
  const axis = `",${whole('axis')}[.,]`;
  if (method === '') return `^GEOGCS.*${axis}`;
  return `^PROJCS.*${axis}.*"(central_meridian|longitude_of_cent[a-z]+)",${whole('meridian')}[].,]`;
}

/** The first system that equals a description, preferably with the same name; undefined if none. */
export function sridOfSame(described: SystemDescription, systems: readonly StoredSystem[]): number | undefined {
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

/** Roles of projection parameters by their names of the OGC, Esri and EPSG. */
const ROLES = [
  { role: 'meridian', name: /^(?:centralmeridian|longitudeof)/ },
  { role: 'latitude', name: /^latitudeof(?!.*standardparallel)/ },
  { role: 'secondParallel', name: /^standardparallel2$|2ndstandardparallel$/ },
  { role: 'firstParallel', name: /standardparallel1?$/ },
  { role: 'scale', name: /^scalefactor/ },
  { role: 'easting', name: /^(?:falseeasting|eastingat)/ },
  { role: 'northing', name: /^(?:falsenorthing|northingat)/ },
] as const;

/** Synonyms of projections. */
const METHODS = [
  { method: 'tm', name: /^(?:transversemercator|gausskruger)$/ },
  { method: 'lcc', name: /^lambertconic(?:al)?conformal|^lambertconformalconic/ },
  { method: 'aea', name: /^albers/ },
  { method: 'laea', name: /^lambertazimuthalequalarea$/ },
] as const;

/** Parses a description of a system; undefined if it has an unknown parameter or unit. */
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
  // The order of two parallels makes no difference.
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

/** The name of a datum without prefixes of programs and without its century: `D_North_American_1983`, `NAD83`. */
function datumKeyOf(name: string | undefined): string {
  return keyOf(name?.replace(/^(?:D|GCS)_|datum|reference.?system/gi, '')).replace(/19(?=\d\d$)/, '');
}
