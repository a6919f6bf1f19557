import pg from 'pg';

/** The code of a municipality that nothing took the place of. */
const GONE_CODE = '0200998000';

/**
 * Gives the areas of Batanes what lists are sorted and filtered by: residents of two censuses, income classes and a
 * footnote. Some are alike, and some are missing. GONE_CODE was a municipality of which nothing is known but that it is gone.
 */
export async function giveAttributes(postgresUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(
      `update areas set population = population_of, population_year = case when population_of is not null then 2020 end,
         population_history = case when population_of is not null then jsonb_build_array(
           jsonb_build_object('year', 2015, 'population', 7), jsonb_build_object('year', 2020, 'population', population_of)) end,
         income_class = case when level <> 'barangay' then (array['1st', '4th*', '4th', '1st (as Mun)'])[1 + ordinal % 4] end,
         notes = case when ordinal = 2 then '["a/ including Itbayat", "3/ Renamed"]'::jsonb end,
         urban_rural = case when level = 'barangay' then (array['U', 'R'])[1 + ordinal % 2] end,
         density_km2 = case when ordinal % 2 = 0 then 12.34 end
       from (
         select id as own, row_number() over (order by code)::int as ordinal,
           (case when row_number() over (order by code) % 7 <> 0
             then 100 * (row_number() over (order by code) % 5) end)::int as population_of
         from areas where code like '02009%'
       ) numbered
       where id = own`,
    );
    await client.query(
      `insert into code_aliases (release_id, level, alias, code, change)
       select id, 'municity', $1, '', 'abolished' from data_releases`,
      [GONE_CODE],
    );
  } finally {
    await client.end();
  }
}
