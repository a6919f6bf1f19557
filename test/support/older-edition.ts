const THEN = `case when substr(a.code, 3, 3) in ('046', '061') then '07' else '06' end`;

/** The code in a column as it was before there was a Negros Island Region. */
export function codeThen(column: string): string {
  return `case when ${column} like '18%' then ${THEN} || substr(${column}, 3) else ${column} end`;
}

/**
 * Statements that add the edition 2023-4q to a seeded database, beside the current one: its regions, provinces, cities and
 * municipalities by their names and codes, without boundaries. Bacolod is in Region VI there, and Rizal in Palawan has its
 * former name.
 */
export const OLDER_EDITION: readonly string[] = [
  `insert into data_releases (id, edition, published_on, sources, report, boundary_set, checked_at)
    select '2023-4q-1', '4Q 2023', '2023-12-31', sources, '{"counts": {"regions": 17}}', 'full', now()
    from data_releases where id = '2026-3q-1'`,
  `insert into areas (release_id, level, code, name, name_key, type, city_class, r_code, p_code, host_province_code, m_code,
      lon, lat, bbox, municity_count, barangay_count)
    select '2023-4q-1', level, ${codeThen('code')}, name, name_key, type, city_class,
      case when r_code like '18%' then ${THEN} || substr(r_code, 3) else r_code end, ${codeThen('p_code')},
      ${codeThen('host_province_code')}, ${codeThen('m_code')}, lon, lat, bbox, municity_count, barangay_count
    from areas a where level in ('region', 'province', 'municity') and code <> '1800000000'`,
  `update areas set name = 'Rizal', name_key = 'rizal' where release_id = '2023-4q-1' and code = '1705323000'`,
  `insert into area_names (release_id, level, code, key, former)
    select '2023-4q-1', level, code, name_key, false from areas where release_id = '2023-4q-1'`,
];

/**
 * Makes the release of a database another load than that of others: an instance keeps names by the version of a release, and
 * those of this one are others.
 */
export const ANOTHER_LOAD = `update data_releases set created_at = clock_timestamp() where id = '2026-3q-1'`;
