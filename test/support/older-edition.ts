const THEN = `case when substr(a.code, 3, 3) in ('046', '061') then '07' else '06' end`;

/** The code in a column as it was before there was a Negros Island Region. */
export function codeThen(column: string): string {
  return `case when ${column} like '18%' then ${THEN} || substr(${column}, 3) else ${column} end`;
}

/** The members of a change: one area before and after it. */
export interface OneToOne {
  kind: string;
  level: string;
  from: readonly [code: string, name: string];
  to: readonly [code: string, name: string];
  note?: string;
}

/** Statements that add changes from the older edition to the current one, at positions from `first` on. */
export function changesFromThen(changes: readonly OneToOne[], first = 0): string[] {
  const text = (value: string | undefined) => (value === undefined ? 'null' : `'${value}'`);
  const party = ([code, name]: readonly [string, string]) => `'${JSON.stringify([{ code, name, share: null }])}'`;
  return changes.map(
    ({ kind, level, from, to, note }, i) =>
      `insert into area_changes values ('2023-4q', '2025-2q', ${first + i}, '${kind}', '${level}', ${party(from)},
        ${party(to)}, '{${[...new Set([from[0], to[0]])].join()}}', 'code', ${text(note)})`,
  );
}

/**
 * Statements that add the edition 2023-4q to a seeded database, beside the current one: its regions, provinces, cities and
 * municipalities by their names and codes, without boundaries. Bacolod is in Region VI there, and Rizal in Palawan has its
 * former name.
 */
export const OLDER_EDITION: readonly string[] = [
  `insert into data_releases (id, edition, published_on, sources, report, boundary_set, checked_at)
    select '2023-4q-1', '4Q 2023', '2023-12-31', sources, '{"counts": {"regions": 17}}', 'full', now()
    from data_releases where id = '2025-2q-1'`,
  `insert into areas (release_id, level, code, name, name_key, type, city_class, r_code, p_code, host_province_code, m_code,
      lon, lat, bbox, municity_count, barangay_count)
    select '2023-4q-1', level, ${codeThen('code')}, name, name_key, type, city_class,
      case when r_code like '18%' then ${THEN} || substr(r_code, 3) else r_code end, ${codeThen('p_code')},
      ${codeThen('host_province_code')}, ${codeThen('m_code')}, lon, lat, bbox, municity_count, barangay_count
    from areas a where level in ('region', 'province', 'municity') and code <> '1800000000'`,
  `update areas set name = 'Rizal', name_key = 'rizal' where release_id = '2023-4q-1' and code = '1705323000'`,
  `insert into area_names (release_id, level, code, key, former)
    select '2023-4q-1', level, code, name_key, false from areas where release_id = '2023-4q-1'`,
  `insert into edition_pairs (from_edition, to_edition, from_release, to_release, adjacent, report) values
    ('2023-4q', '2025-2q', '2023-4q-1', '2025-2q-1', true, '{}'),
    ('2025-2q', '2023-4q', '2025-2q-1', '2023-4q-1', false, '{}')`,
  ...changesFromThen([
    {
      kind: 'moved',
      level: 'municity',
      from: ['0630200000', 'City of Bacolod'],
      to: ['1830200000', 'City of Bacolod'],
    },
    {
      kind: 'renamed',
      level: 'municity',
      from: ['1705323000', 'Rizal'],
      to: ['1705323000', 'Dr. Jose P. Rizal'],
      note: 'RA 12000',
    },
  ]),
];

/**
 * Makes the release of a database a revision of what others have: an instance keeps names by the version of a release, and
 * those of this one are others.
 */
export const A_REVISION = `update data_releases set revised_at = clock_timestamp() where id = '2025-2q-1'`;
