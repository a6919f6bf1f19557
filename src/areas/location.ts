import type { Area, Level, Location } from './store.ts';

/** What a look-up of a point has found. */
export interface Found {
  /** The code of the area of each level whose boundary contains the point. */
  readonly inside: Readonly<Partial<Record<Level, string>>>;
  /** The code of the nearest area, where one was looked for and found. */
  readonly near: string | null;
  /** Metres to it. */
  readonly distance: number;
  /** The area with a code, of those that were found and their parents. */
  readonly areaWith: (code: string) => Area | null;
}

/** The finest level that is looked for where one is asked for: a sub-municipality is known from its barangay. */
export function depthOf(level: Area['level']): Level {
  return level === 'submunicipality' ? 'barangay' : level;
}

/** What lies at a point, down to a level: the areas that contain it or the nearest one, with their parents. */
export function locationOf(level: Area['level'], { inside, near: nearCode, distance, areaWith }: Found): Location {
  const at = (code: string | null | undefined): Area | null => (code ? areaWith(code) : null);
  const depth = depthOf(level);
  // A point that an area of the level contains is not moved to another, nor is one whose city has no sub-municipality.
  const nearest = inside[depth] ? null : at(nearCode);
  const near = level === 'submunicipality' && inside.municity && !nearest?.smCode ? null : nearest;
  const municity = at(inside.municity ?? (near?.level === 'municity' ? near.code : near?.mCode));
  const barangay = depth === 'barangay' ? at(inside.barangay ?? (near?.level === 'barangay' ? near.code : null)) : null;
  // The province's boundary says in which one a place lies. The city or municipality says whether it belongs to it.
  const place = municity ?? near;
  const lying = at(
    inside.province ?? (near?.level === 'province' ? near.code : (near?.pCode ?? near?.hostProvinceCode)),
  );
  const independent = place !== null && place.level !== 'province' && place.pCode === null;
  const region = at(inside.region ?? (near?.level === 'region' ? near.code : near?.rCode));
  const anywhere = Object.keys(inside).length > 0;
  const deep = level !== 'region';
  return {
    match: near ? 'nearest' : anywhere ? 'contains' : null,
    distance: near ? Math.round(distance * 10) / 10 : anywhere ? 0 : null,
    region,
    province: deep && !independent ? lying : null,
    hostProvince: deep && independent ? (lying ?? at(place.hostProvinceCode)) : null,
    municity: depth === 'municity' || depth === 'barangay' ? municity : null,
    submunicipality: at(barangay?.smCode),
    barangay: level === depth ? barangay : null,
  };
}

/** The finest area at a point, whose boundary an answer shows. */
export function finestOf({
  barangay,
  submunicipality,
  municity,
  hostProvince,
  province,
  region,
}: Location): Area | null {
  return barangay ?? submunicipality ?? municity ?? province ?? hostProvince ?? region;
}
