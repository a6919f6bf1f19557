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

/** What lies at a point, down to a level: the areas that contain it or the nearest one, with their parents. */
export function locationOf(level: Level, { inside, near: nearCode, distance, areaWith }: Found): Location {
  const at = (code: string | null | undefined): Area | null => (code ? areaWith(code) : null);
  // A point that an area of the level contains is not moved to another.
  const near = inside[level] ? null : at(nearCode);
  const municity = at(inside.municity ?? (near?.level === 'municity' ? near.code : near?.mCode));
  const barangay = level === 'barangay' ? at(inside.barangay ?? (near?.level === 'barangay' ? near.code : null)) : null;
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
    municity: level === 'municity' || level === 'barangay' ? municity : null,
    submunicipality: at(barangay?.smCode),
    barangay,
  };
}

/** The finest area at a point, whose boundary an answer shows. */
export function finestOf({ barangay, municity, hostProvince, province, region }: Location): Area | null {
  return barangay ?? municity ?? province ?? hostProvince ?? region;
}
