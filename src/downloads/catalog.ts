import { editionSortKey } from '../areas/edition-id.ts';
import { COUNTRY, type DownloadKind, FILE_LEVELS } from '../areas/snapshot/download-names.ts';
import { type Download, MEDIA_TYPES } from './download.ts';
import type { PublishedFiles } from './published.ts';

// The catalogue in the words of DCAT-AP 3: https://semiceu.github.io/DCAT-AP/releases/3.0.0/

const CONTEXT = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  geo: 'http://www.opengis.net/ont/geosparql#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  spdx: 'http://spdx.org/rdf/terms#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
};

/** Lists of the Publications Office of the EU, whose terms DCAT-AP asks for. */
const AUTHORITY = 'http://publications.europa.eu/resource/authority';

/** Bounds of the Philippines including their waters. */
const EXTENT = 'POLYGON((114 4,127 4,127 22,114 22,114 4))';

type Level = DownloadKind['level'];

/** The parts of the identifiers of datasets. */
const WORDS: Readonly<Record<Level, string>> = { ...FILE_LEVELS, [COUNTRY]: COUNTRY };

const NOUNS: Readonly<Record<Level, string>> = {
  region: 'Regions',
  province: 'Provinces',
  municity: 'Cities and municipalities',
  submunicipality: 'Sub-municipalities of Manila',
  barangay: 'Barangays',
  country: 'All areas',
};

/** Media types of compressed files after decompression. */
const UNPACKED: Readonly<Record<string, string>> = {
  'csv.gz': 'text/csv',
  'ndjson.gz': 'application/x-ndjson',
  'geojson.gz': 'application/geo+json',
};

const named = (id: string) => ({ '@id': id });
const english = (text: string) => ({ '@value': text, '@language': 'en' });
const typed = (type: string, text: string) => ({ '@type': type, '@value': text });
const labelled = (type: string, text: string) => ({ '@type': type, 'rdfs:label': english(text) });

/**
 * Builds the catalogue: one dataset per level and release, one distribution per file.
 *
 * @param hrefOf returns the URL of a file
 */
export function catalogOf(
  origin: string,
  published: readonly PublishedFiles[],
  hrefOf: (file: Download) => string,
): object {
  const publisher = {
    '@type': 'foaf:Agent',
    'foaf:name': 'Philippine Geographic Data Service',
    'foaf:homepage': named(`${origin}/`),
  };
  const dataset = ({ release, edition, files }: PublishedFiles, level: Level) => {
    const own = files.filter((file) => file.level === level);
    const created = own[0]?.createdAt ?? '';
    const isOpen = own.some(({ resolution }) => resolution === null);
    const whole = own.find(({ resolution }) => resolution !== null) ?? own[0];
    return {
      '@id': `${origin}/v1/catalog#${release}.${WORDS[level]}`,
      '@type': 'dcat:Dataset',
      'dct:title': english(`${NOUNS[level]} of the Philippines, PSGC ${edition}`),
      'dct:description': english(
        `${NOUNS[level]} of the Philippine Standard Geographic Code, edition ${edition}, with their attributes${whole?.resolution ? ' and boundaries' : ''}.`,
      ),
      'dct:identifier': `${release}.${WORDS[level]}`,
      'dcat:version': release,
      'dct:publisher': publisher,
      'dct:issued': typed('xsd:dateTime', created),
      'dct:modified': typed('xsd:dateTime', created),
      'dct:language': named(`${AUTHORITY}/language/ENG`),
      'dct:accrualPeriodicity': named(`${AUTHORITY}/frequency/QUARTERLY`),
      'dcat:theme': named(`${AUTHORITY}/data-theme/REGI`),
      'dcat:keyword': ['PSGC', 'Philippines', 'administrative boundaries', NOUNS[level].toLowerCase()].map(english),
      'dct:spatial': {
        '@id': `${AUTHORITY}/country/PHL`,
        '@type': 'dct:Location',
        'dcat:bbox': typed('geo:wktLiteral', EXTENT),
      },
      'dct:temporal': periodOf(edition),
      'dct:accessRights': accessRights(isOpen),
      'dct:license': labelled('dct:LicenseDocument', whole?.licence ?? ''),
      'dct:rights': labelled('dct:RightsStatement', whole?.attribution ?? ''),
      'dcat:landingPage': named(`${origin}/downloads`),
      'dcat:distribution': own.map((file) => distributionOf(file, hrefOf(file), origin)),
    };
  };
  return {
    '@context': CONTEXT,
    '@id': `${origin}/v1/catalog`,
    '@type': 'dcat:Catalog',
    'dct:title': english('Administrative geography of the Philippines'),
    'dct:description': english(
      'Regions, provinces, cities, municipalities and barangays: codes, attributes, boundaries.',
    ),
    'dct:publisher': publisher,
    'dct:language': named(`${AUTHORITY}/language/ENG`),
    'foaf:homepage': named(`${origin}/`),
    'dcat:dataset': published.flatMap((release) =>
      (Object.keys(WORDS) as Level[])
        .filter((level) => release.files.some((file) => file.level === level))
        .map((level) => dataset(release, level)),
    ),
  };
}

/** Layers need credentials, which the EU's list calls restricted. */
function accessRights(isOpen: boolean) {
  return named(`${AUTHORITY}/access-right/${isOpen ? 'PUBLIC' : 'RESTRICTED'}`);
}

function distributionOf(file: Download, href: string, origin: string): object {
  const { format, bytes, sha256, licence, attribution, createdAt } = file;
  const isOpen = file.resolution === null;
  const needs = `Needs a key as bearer, or ?session= with a session, which a key gets from POST ${origin}/v1/downloads/sessions.`;
  const unpacked = UNPACKED[format];
  return {
    '@id': href,
    '@type': 'dcat:Distribution',
    'dct:title': english(file.id),
    'dcat:accessURL': named(href),
    'dcat:downloadURL': named(href),
    'dcat:byteSize': typed('xsd:nonNegativeInteger', String(bytes)),
    'dcat:mediaType': mediaType(unpacked ?? MEDIA_TYPES[format]),
    ...(unpacked === undefined ? {} : { 'dcat:compressFormat': mediaType(MEDIA_TYPES[format]) }),
    'spdx:checksum': {
      '@type': 'spdx:Checksum',
      'spdx:algorithm': named(`${CONTEXT.spdx}checksumAlgorithm_sha256`),
      'spdx:checksumValue': typed('xsd:hexBinary', sha256),
    },
    'dct:license': labelled('dct:LicenseDocument', licence),
    'dct:accessRights': accessRights(isOpen),
    'dct:rights': labelled('dct:RightsStatement', isOpen ? attribution : `${attribution} ${needs}`),
    'dct:issued': typed('xsd:dateTime', createdAt),
  };
}

function mediaType(type: string) {
  return named(`https://www.iana.org/assignments/media-types/${type}`);
}

/** The quarter or the month of an edition: `2025-2q` is April to June. */
function periodOf(edition: string): object {
  const [year, last] = editionSortKey(edition)
    .split('-')
    .map((part) => Number.parseInt(part, 10)) as [number, number];
  const day = (month: number, date: number) =>
    typed('xsd:date', new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10));
  return {
    '@type': 'dct:PeriodOfTime',
    'dcat:startDate': day(last - (edition.endsWith('q') ? 3 : 1), 1),
    'dcat:endDate': day(last, 0),
  };
}
