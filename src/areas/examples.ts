// Records of release 2025-2q-1 with detailed boundaries, for the document.

const region = {
  id: 7,
  name: 'Region VII (Central Visayas)',
  code: '0700000000',
  population: null,
  population_year: null,
  income_class: null,
  urban_rural: null,
  area_km2: 14293.69923,
  density_km2: null,
  iso_3166_2: 'PH-07',
  island_group: 'visayas' as const,
  pcode: 'PH07',
  centroid: [124.206759, 9.880675] as [number, number],
  bbox: [123.296368, 9.412887, 124.645375, 11.524289] as [number, number, number, number],
};

const province = {
  id: 52,
  name: 'Cebu',
  code: '0702200000',
  r_code: '0700000000',
  population: null,
  population_year: null,
  income_class: null,
  urban_rural: null,
  area_km2: 4870.13542,
  density_km2: null,
  iso_3166_2: 'PH-CEB',
  island_group: 'visayas' as const,
  pcode: 'PH07022',
  centroid: [123.755395, 10.355418] as [number, number],
  bbox: [123.296368, 9.412887, 124.570972, 11.524289] as [number, number, number, number],
};

const municity = {
  id: 904,
  name: 'City of Cebu',
  code: '0730600000',
  type: 'City',
  city_class: 'HUC',
  p_code: null,
  host_province_code: '0702200000',
  r_code: '0700000000',
  population: null,
  population_year: null,
  income_class: null,
  urban_rural: null,
  area_km2: 290.97317,
  density_km2: null,
  iso_3166_2: null,
  island_group: 'visayas' as const,
  pcode: 'PH0730600',
  centroid: [123.859985, 10.379251] as [number, number],
  bbox: [123.769707, 10.258823, 123.926798, 10.493495] as [number, number, number, number],
};

const barangay = {
  id: 23485,
  name: 'Capitol Site',
  code: '0730600020',
  m_code: '0730600000',
  p_code: null,
  r_code: '0700000000',
  population: null,
  population_year: null,
  income_class: null,
  urban_rural: null,
  area_km2: 0.78683,
  density_km2: null,
  iso_3166_2: null,
  island_group: 'visayas' as const,
  pcode: 'PH0730600020',
  centroid: [123.891394, 10.315127] as [number, number],
  bbox: [123.88837, 10.308067, 123.895461, 10.32495] as [number, number, number, number],
};

/** A record of each level, as lists have it. */
export const EXAMPLES = { region, province, municity, barangay };

const TOLD = { former_names: [], population_history: [], notes: [] };

/** The same, as they are answered alone. */
export const SINGLE_EXAMPLES = {
  region: { ...region, ...TOLD, province_count: 2, municity_count: 101, barangay_count: 2312 },
  province: { ...province, ...TOLD, municity_count: 50, hosted_municity_count: 3, barangay_count: 1066 },
  municity: { ...municity, ...TOLD, barangay_count: 80 },
  barangay: { ...barangay, ...TOLD },
};

/** What lies at latitude 10.3167, longitude 123.8907. */
export const PLACE_EXAMPLE = {
  lat: 10.3167,
  lon: 123.8907,
  match: 'contains' as const,
  distance_m: 0,
  region,
  province: null,
  host_province: province,
  municity,
  barangay,
};
