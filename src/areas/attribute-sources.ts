/** Where attributes come from. */
interface AttributeSource {
  readonly attributes: string[];
  readonly source: string;
  readonly url: string | null;
  readonly note: string | null;
}

/** The source of each attribute of areas. An attribute that a release lacks is null. */
export const ATTRIBUTE_SOURCES: readonly AttributeSource[] = [
  {
    attributes: ['population', 'population_year', 'population_history'],
    source:
      'Philippine Statistics Authority: 2015 by the Census of Population (POPCEN 2015), 2020 by the Census of Population and Housing (CPH 2020), 2024 by the Census of Population (POPCEN 2024)',
    url: 'https://psa.gov.ph/classification/psgc',
    note: 'Those that were public when the list was, mostly within the borders of each census; as packed in the CRAN package psgc (MIT), unless the list has its own. Those of a province are without the highly urbanised cities that it hosts and with the independent component cities, but for the City of Cotabato, which Maguindanao del Norte counts from 2024 on.',
  },
  {
    attributes: ['income_class'],
    source: 'Bureau of Local Government Finance, Department of Finance',
    url: 'https://blgf.gov.ph',
    note: 'Lists since 2Q 2025 have the classes of Department Order 074-2024 (RA 11964), in force since 1 January 2025; older ones those of Department Order 23-08 of 2008. As published; marks behind a class are those of the list.',
  },
  {
    attributes: ['urban_rural'],
    source: 'Philippine Statistics Authority: Census of Population and Housing (CPH 2020)',
    url: 'https://psa.gov.ph/classification/psgc',
    note: null,
  },
  {
    attributes: ['area_km2', 'density_km2'],
    source: 'Computed on the WGS 84 ellipsoid from the detailed boundaries of the release; null without these',
    url: null,
    note: 'No official land area. A province is drawn with the cities of its region that it hosts; its density is without the highly urbanised ones and their land.',
  },
  {
    attributes: ['iso_3166_2'],
    source: 'ISO 3166-2:PH',
    url: 'https://www.iso.org/obp/ui/#iso:code:3166:PH',
    note: 'The Negros Island Region has none.',
  },
  {
    attributes: ['island_group'],
    source: 'The group of the region, as the PSA lists them',
    url: 'https://psa.gov.ph/classification/psgc',
    note: null,
  },
  {
    attributes: ['pcode'],
    source: 'Made from the code in the scheme of the humanitarian COD-AB set',
    url: 'https://data.humdata.org/dataset/cod-ab-phl',
    note: 'PH and the digits that name an area of its level; the Special Geographic Area is written 19099.',
  },
];
