import { isBlankCell } from '../names/blank.ts';
import type { MatchInput } from '../names/match.ts';
import type { Field } from '../names/result.ts';
import { COLUMNS, type Column } from '../names/source.ts';
import { type Columns, cellOf, findColumns, type Headings, unrecognized } from '../tables/columns.ts';

/** What a heading can stand for. `names` are read only beside `code`, where there is no column of regions to barangays. */
type HeadingField = Field | 'names';

/**
 * The headings of columns of places, in English and Filipino and as the Philippine Statistics Authority writes them, as
 * `headingKey` folds them. Names come before codes.
 */
const HEADINGS: Headings<HeadingField> = {
  region: words(
    'region regionname reg regname rehiyon rehion administrativeregion adm1en adm1name admin1name admin1nameen rehiyonregion regioncode regcode psgcregion regionpsgc adm1psgc adm1pcode admin1pcode',
  ),
  province: words(
    'province provincename prov provname lalawigan probinsya probinsiya provincehuc provinceordistrict provincedistrict provdist adm2en adm2name admin2name admin2nameen provinces provincecode provcode psgcprovince provincepsgc adm2psgc adm2pcode admin2pcode',
  ),
  municity: words(
    'municity municityname citymunicipality municipalitycity cityormunicipality citymuni citymun muncity municipality municipalityname city cityname citytown cityortown towncity town munname muni mun mcity lgu lguname bayan lungsod siyudad munisipyo munisipalidad lungsodbayan bayanlungsod lungsodmunisipalidad lungsodmunisipyo munisipyolungsod munisipalidadlungsod adm3en adm3name admin3name admin3nameen municipalities cities citiesmunicipalities municipalitycityname citymunicipalitydistrict municipalitydistrict ciudad township citymunicipalityname citymunname muncityname municitycode citymunicipalitycode citymuncode muncitycode municipalitycode citycode muncode psgcmunicity adm3psgc adm3pcode admin3pcode',
  ),
  barangay: words(
    'barangay barangayname brgy brgyname bgy bgyname baranggay barangayvillage barangaydistrict barrio baryo adm4en adm4name admin4name admin4nameen barangays brgys brgyvillage barangaycode brgycode bgycode psgcbarangay barangaypsgc adm4psgc adm4pcode admin4pcode',
  ),
  text: words(
    'text address fulladdress completeaddress homeaddress residentialaddress presentaddress permanentaddress mailingaddress addr tirahan kumpletongtirahan streetaddress addressline1 placeofbirth birthplace direksyon address1 location lokasyon place placename lugar residence areaname geographicname',
  ),
  code: words(
    'psgc psgccode psgccodes 10digitpsgc 10digitpsgccode 9digitpsgc 9digitpsgccode psgc10digit psgc9digit correspondencecode kodigongpsgc kodigosapsgc psgckodigo psgcnakodigo',
  ),
  names: words('name pangalan'),
};

/** The headings of a column of ZIP codes, which only help to choose. */
const ZIP_HEADINGS = words('zip zipcode zipcodes postalcode postcode postal zippostalcode');

/** A word for a type of places, which names none. */
const TYPE_WORD =
  /^(?:(?:component |highly urbani[sz]ed )?city|municipality|mun\.?|province|prov\.?|barangay|br?gy\.?|region|submun|huc|icc)$/i;

/** As many words for types, and no other, make a column one of types. */
const MIN_TYPE_WORDS = 2;

/** A code of the PSGC, of ten digits or nine, or a P-code. A spreadsheet's number has lost the leading zero. */
const PSGC = /^(?:[01]?\d{9}(?:\.0+)?|ph\d{2,10})$/i;

/**
 * A code as the PSGC has it, all ten digits, or a P-code: those of barangays end with a small number, and all others with zeros.
 * Amounts have no zero in front, so a column of codes has one with a zero or letters in front.
 */
const WHOLE_CODE = /^(?:[01]\d{6}[0-2]\d\d|ph\d+)$/i;

/** A heading that may be that of a column of such codes. */
const CODE_HEADING = /code|kodigo|psgc/i;

/** The least share of such codes in the cells of their column: a few may be mistyped. */
const MOSTLY = 0.8;

/** Max characters: `name` of a cell sent as JSON, `text` of an address. */
export const MAX_CELL_LENGTH = { name: 200, text: 500 };

function words(text: string): string[] {
  return text.split(' ');
}

/** Rows of a table, by which its columns are known better than by their headings alone. */
export type Rows = Iterable<readonly string[]>;

/** The columns of a table as the query names them. */
export type NamedColumns = { readonly [field in Field | 'zip']?: string | undefined };

/**
 * The columns of places of a table; none if no heading is recognized. A column `Name` counts only beside codes of places,
 * because most lists of people have one too, and only if the table has no column of regions to barangays. An empty `named.text`
 * leaves out addresses and names. The files that the service gives to download are known by theirs.
 *
 * @param rows the rows that are known, whose cells may say that a column is of codes, or of words for types of places
 * @throws DomainError `columns_not_recognized` if a named column is missing
 */
export function placeColumns(headings: readonly string[], named: NamedColumns = {}, rows: Rows = []): Columns<Field> {
  const isNamed = Object.entries(named).some(([field, heading]) => field !== 'zip' && heading !== undefined);
  const own = isNamed ? undefined : columnsOfOwnFile(headings);
  if (own) return own;
  const known = headings.map((heading, at) => {
    if (Object.values(named).includes(heading)) return heading;
    const { filled, share } = shareOf(rows, at, TYPE_WORD);
    if (share === 1 && filled >= MIN_TYPE_WORDS) return '';
    return heading;
  });
  const {
    text = [],
    names = [],
    ...found
  } = withCodes(headings, findColumns(known, { named, headingsOf: HEADINGS }), {
    rows,
    isNamed: named.code !== undefined,
  });
  if (named.text) return { ...found, text };
  // Beside columns of cities or barangays, an address column adds only streets.
  const hasColumns = found.municity !== undefined || found.barangay !== undefined;
  if (named.text === '' || hasColumns) return found;
  const isOfCodes = found.code !== undefined && Object.keys(found).length === 1;
  const all = [...text, ...(isOfCodes ? names : [])];
  return all.length > 0 ? { ...found, text: all } : found;
}

/**
 * The columns with those of codes that only their cells tell: under a heading that is not known, or beside the names of the same
 * level. Those of the smallest places come first. Where no heading is known, the first column of codes with all their digits is read,
 * whatever its heading is.
 *
 * @param isNamed whether the query says which column has the codes, or that none has
 */
function withCodes(
  headings: readonly string[],
  columns: Columns<HeadingField>,
  { rows, isNamed }: { rows: Rows; isNamed: boolean },
): Columns<HeadingField> {
  if (isNamed) return columns;
  const taken = Object.values(columns).flat();
  const free = [...headings.keys()].filter((at) => !taken.includes(at));
  const isOfCodes = (at: number) => CODE_HEADING.test(headings[at] ?? '') && shareOf(rows, at, PSGC).share >= MOSTLY;
  const others = free.filter(isOfCodes).toReversed();
  const beside = COLUMNS.toReversed().flatMap((level) => {
    const [first = -1, ...more] = columns[level] ?? [];
    return isOfCodes(first) ? [] : more.filter(isOfCodes);
  });
  const known = [...(columns.code ?? []), ...others, ...beside];
  const isUnknown = known.length === 0 && Object.keys(columns).every((field) => field === 'names');
  const isAllCodes = (at: number) =>
    shareOf(rows, at, WHOLE_CODE).share >= MOSTLY && shareOf(rows, at, /^[0p]/i).share > 0;
  const code = isUnknown ? free.filter(isAllCodes).slice(0, 1) : known;
  if (code.length === 0) return columns;
  const rest = Object.entries(columns).map(([field, places]) => [field, places.filter((at) => !beside.includes(at))]);
  return { ...Object.fromEntries(rest), code };
}

/** Headings that only the files have that the service gives to download, and of which level their areas are: the first of them decides. */
const OWN_FILES: readonly (readonly [heading: string, level: Column])[] = [
  ['sm_name', 'barangay'],
  ['p_name', 'municity'],
  // Sub-municipalities have a city, and no province.
  ['m_name', 'municity'],
  ['r_name', 'province'],
  ['iso_3166_2', 'region'],
];

/** The columns of a file of the service; undefined for any other table. */
function columnsOfOwnFile(headings: readonly string[]): Columns<Field> | undefined {
  const at = (...names: string[]) => names.map((name) => headings.indexOf(name)).filter((index) => index >= 0);
  const own = at('code', 'name');
  const [, level] = OWN_FILES.find(([heading]) => headings.includes(heading)) ?? [];
  if (own.length < 2 || !level) return undefined;
  const all = { region: at('r_name'), province: at('p_name', 'host_province_name'), municity: at('m_name') };
  return Object.fromEntries(Object.entries({ ...all, [level]: own }).filter(([, places]) => places.length > 0));
}

/** How many cells of a column are filled, and the share of these that are of a kind: 0 where none is filled. */
function shareOf(rows: Rows, at: number, kind: RegExp): { filled: number; share: number } {
  let filled = 0;
  let fitting = 0;
  for (const cells of rows) {
    const text = cells[at]?.trim() ?? '';
    if (isBlankCell(text)) continue;
    filled += 1;
    if (kind.test(text)) fitting += 1;
  }
  return { filled, share: filled === 0 ? 0 : fitting / filled };
}

/** The columns that are read of a table, and the reader of its rows. */
interface Reader<F extends string, T> {
  readonly reads: Columns<F>;
  read(cells: readonly string[]): T;
}

export type PlaceReader = Reader<Field | 'zip', MatchInput>;
export type AddressReader = Reader<'text', string>;

/**
 * Finds the columns of places, and makes the reader of their rows.
 *
 * @throws DomainError `columns_not_recognized`
 */
export function placeReader(headings: readonly string[], named: NamedColumns, rows: Rows = []): PlaceReader {
  const reads = placeColumns(headings, named, rows);
  if (Object.keys(reads).length === 0) {
    throw unrecognized(
      'No column is known to be of places. The first row must have headings such as Province, City/Municipality, Barangay or Address; or name the columns in the query, such as ?municity=Town, or ?text=Name for names of places.',
      headings,
    );
  }
  const all = { ...reads, ...findColumns(headings, { named: { zip: named.zip }, headingsOf: { zip: ZIP_HEADINGS } }) };
  const places = Object.entries(all);
  return { reads: all, read: (cells) => Object.fromEntries(places.map(([field, at]) => [field, cellOf(cells, at)])) };
}

/**
 * Finds the column of addresses, and makes the reader of its rows.
 *
 * @param named the heading of the column, as the query names it
 * @throws DomainError `columns_not_recognized`
 */
export function addressReader(headings: readonly string[], named: string | undefined): AddressReader {
  const reads = findColumns(headings, { named: { text: named }, headingsOf: { text: HEADINGS.text } });
  if (reads.text === undefined) {
    throw unrecognized(
      'No column is known to be of addresses. The first row must have a heading such as Address; or name the column in the query, such as ?text=Residence.',
      headings,
    );
  }
  return { reads, read: (cells) => (cellOf(cells, reads.text) ?? '').slice(-MAX_CELL_LENGTH.text) };
}
