// Records of release 2026-3q-1 with the borders of the repository, for the document.

const region = {
  id: 7,
  name: 'Region VII (Central Visayas)',
  code: '0700000000',
  population: 6_640_875,
  population_year: 2024,
  income_class: null,
  urban_rural: null,
  area_km2: 8840.40492,
  density_km2: 751.2,
  iso_3166_2: 'PH-07',
  island_group: 'visayas' as const,
  pcode: 'PH07',
  centroid: [123.717276, 10.312738] as [number, number],
  bbox: [123.296368, 9.412887, 124.645375, 11.524265] as [number, number, number, number],
};

const province = {
  id: 52,
  name: 'Cebu',
  code: '0702200000',
  r_code: '0700000000',
  population: 3_400_522,
  population_year: 2024,
  income_class: '1st',
  urban_rural: null,
  area_km2: 4870.0737,
  density_km2: 758.93,
  iso_3166_2: 'PH-CEB',
  island_group: 'visayas' as const,
  pcode: 'PH07022',
  centroid: [123.717276, 10.312738] as [number, number],
  bbox: [123.296368, 9.412887, 124.570972, 11.524265] as [number, number, number, number],
};

const municity = {
  id: 904,
  name: 'City of Cebu',
  code: '0730600000',
  type: 'City',
  city_class: 'HUC',
  m_code: null,
  p_code: null,
  host_province_code: '0702200000',
  r_code: '0700000000',
  zip_codes: ['6000'],
  population: 965_332,
  population_year: 2024,
  income_class: '1st',
  urban_rural: null,
  area_km2: 290.91045,
  density_km2: 3318.31,
  iso_3166_2: null,
  island_group: 'visayas' as const,
  pcode: 'PH0730600',
  centroid: [123.859969, 10.379308] as [number, number],
  bbox: [123.769707, 10.258823, 123.926798, 10.493495] as [number, number, number, number],
};

const barangay = {
  id: 23484,
  name: 'Capitol Site',
  code: '0730600020',
  sm_code: null,
  m_code: '0730600000',
  p_code: null,
  r_code: '0700000000',
  population: 11_065,
  population_year: 2024,
  income_class: null,
  urban_rural: 'U',
  area_km2: 0.78683,
  density_km2: 14062.76,
  iso_3166_2: null,
  island_group: 'visayas' as const,
  pcode: 'PH0730600020',
  centroid: [123.891394, 10.315127] as [number, number],
  bbox: [123.88837, 10.308067, 123.895461, 10.32495] as [number, number, number, number],
};

/** A record of each level, as lists have it. */
export const EXAMPLES = { region, province, municity, barangay };

/** The members that only single records have: residents by census, and no names and notes. */
function detail(...populations: [number, number, number]) {
  const population_history = populations.map((population, i) => ({
    year: [2015, 2020, 2024][i] as number,
    population,
  }));
  return { former_names: [], population_history, notes: [] };
}

/** The same, as they are answered alone. */
export const SINGLE_EXAMPLES = {
  region: {
    ...region,
    ...detail(7_396_898, 8_081_988, 6_640_875),
    province_count: 2,
    municity_count: 101,
    barangay_count: 2312,
  },
  province: {
    ...province,
    ...detail(2_938_982, 3_325_385, 3_400_522),
    municity_count: 50,
    hosted_municity_count: 3,
    barangay_count: 1066,
  },
  municity: { ...municity, ...detail(922_611, 964_169, 965_332), barangay_count: 80 },
  barangay: { ...barangay, ...detail(11_307, 12_604, 11_065) },
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
  submunicipality: null,
  barangay,
};

/** A code of each level, and the only area that touches it. */
export const NEIGHBOR_EXAMPLES = {
  region: {
    of: '0500000000',
    neighbor: {
      id: 4,
      name: 'Region IV-A (CALABARZON)',
      code: '0400000000',
      population: 16_933_234,
      population_year: 2024,
      income_class: null,
      urban_rural: null,
      area_km2: 15847.7235,
      density_km2: 1068.5,
      iso_3166_2: 'PH-40',
      island_group: 'luzon' as const,
      pcode: 'PH04',
      centroid: [121.538962, 14.126208] as [number, number],
      bbox: [120.486865, 13.161975, 122.792518, 15.216889] as [number, number, number, number],
    },
  },
  province: {
    of: '0506200000',
    neighbor: {
      id: 40,
      name: 'Albay',
      code: '0500500000',
      r_code: '0500000000',
      population: 1_379_398,
      population_year: 2024,
      income_class: '1st',
      urban_rural: null,
      area_km2: 2469.49946,
      density_km2: 558.57,
      iso_3166_2: 'PH-ALB',
      island_group: 'luzon' as const,
      pcode: 'PH05005',
      centroid: [123.574048, 13.203558] as [number, number],
      bbox: [123.280548, 12.986185, 124.220096, 13.523255] as [number, number, number, number],
    },
  },
  municity: {
    of: '0702220000',
    neighbor: {
      id: 905,
      name: 'City of Lapu-Lapu',
      code: '0731100000',
      type: 'City',
      city_class: 'HUC',
      m_code: null,
      p_code: null,
      host_province_code: '0702200000',
      r_code: '0700000000',
      zip_codes: ['6015', '6016'],
      population: 497_813,
      population_year: 2024,
      income_class: '1st',
      urban_rural: null,
      area_km2: 67.32548,
      density_km2: 7394.12,
      iso_3166_2: null,
      island_group: 'visayas' as const,
      pcode: 'PH0731100',
      centroid: [123.974509, 10.295538] as [number, number],
      bbox: [123.914917, 10.201861, 124.178711, 10.334272] as [number, number, number, number],
    },
  },
  barangay: {
    of: '0731100022',
    neighbor: {
      id: 23_561,
      name: 'Mactan',
      code: '0731100015',
      sm_code: null,
      m_code: '0731100000',
      p_code: null,
      r_code: '0700000000',
      population: 48_100,
      population_year: 2024,
      income_class: null,
      urban_rural: 'U',
      area_km2: 5.89404,
      density_km2: 8160.79,
      iso_3166_2: null,
      island_group: 'visayas' as const,
      pcode: 'PH0731100015',
      centroid: [124.006881, 10.303087] as [number, number],
      bbox: [123.990174, 10.288046, 124.022146, 10.31656] as [number, number, number, number],
    },
  },
};

/** The first lines of an answer to a table of points. */
export const POINT_TABLE =
  'site,lat,lon,region_code,region_name,province_code,province_name,host_province_code,host_province_name,municity_code,municity_name,barangay_code,barangay_name,match,distance_m,submunicipality_code,submunicipality_name\nFort,123.9057,10.2924,,,,,,,,,,,invalid: lat and lon are swapped,,,\n';
