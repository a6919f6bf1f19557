import { lowerAscii } from '../../ascii.ts';
import type { NewFeature } from '../../features/feature.ts';
import { turn } from '../../turn.ts';
import {
  type FeatureFile,
  FileFault,
  type Format,
  layerIn,
  type OpenOptions,
  type PlaceRow,
  type RandomAccess,
} from './format.ts';
import { type SheetContext, type SheetRow, sheetRows } from './sheet.ts';
import { cellStyles, sharedTexts } from './sheet-values.ts';
import { TableRows } from './table-rows.ts';
import { type XmlHandler, XmlReader } from './xml.ts';
import { unpacked, type ZipEntry, zipEntries } from './zip.ts';

export const workbook: Format = {
  name: 'workbook',
  kind: 'file',
  extensions: ['.xlsx', '.xlsm'],
  storesFeatures: true,
  hasLayers: true,
  hasPlaces: true,
  skipsInvalid: true,
  open,
};

/** The first bytes of what Excel wraps a workbook with a password in, and of its files before 2007. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];

/** Max parts that a part may name, and sheets of a workbook. */
const MAX_RELATIONS = 1000;

/** Max rows above a table that are its title. */
const MAX_TITLES = 10;

/** Max characters of the cells of a sheet for each byte of the file, and what any file may have. */
const MAX_TEXT_RATIO = 200;
const MIN_TEXT = 16 * 1024 * 1024;

/** Characters of rows after which other requests of the instance have a turn. */
const TURN_LENGTH = 512 * 1024;

interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly entry: ZipEntry;
}

/**
 * Opens a workbook (ECMA-376, part 1), whose sheets are layers. Without a name of one it reads the only sheet that is not
 * hidden and has something in it.
 */
async function open(file: RandomAccess, { layer }: OpenOptions = {}): Promise<FeatureFile> {
  const magic = await file.read(0, Math.min(COMPOUND.length, file.bytes));
  if (COMPOUND.every((byte, i) => magic[i] === byte)) {
    throw new FileFault(
      'is protected with a password, or a workbook of the old kind (.xls): save it as .xlsx without one',
    );
  }
  const parts = await WorkbookParts.open(file);
  const { sheets, ...facts } = await parts.workbook();
  const maxText = Math.max(MIN_TEXT, file.bytes * MAX_TEXT_RATIO);
  const context: SheetContext = { ...facts, texts: await parts.texts(), styles: await parts.styles(), maxText };
  const rowsOf = ({ entry }: Sheet) => sheetRows(unpacked(file, entry), context);
  // Several sheets may name one part, which is read once.
  const filled = new Map<ZipEntry, boolean>();
  const hasRows = async (sheet: Sheet) => {
    const known = filled.get(sheet.entry);
    if (known !== undefined) return known;
    const rows = rowsOf(sheet);
    const has = !(await rows.next()).done;
    await rows.return(undefined);
    filled.set(sheet.entry, has);
    return has;
  };
  const sheet = await sheetOf(sheets, layer, hasRows);
  let table: TableRows | undefined;
  return {
    srid: () => undefined,
    get placeHeadings() {
      return table?.placeHeadings;
    },
    async *features(options): AsyncGenerator<NewFeature | PlaceRow> {
      table = new TableRows(options);
      let sinceTurn = 0;
      for await (const { fields, errors, length, row, titles } of withoutTitles(rowsOf(sheet))) {
        const { width = 0 } = table;
        while (fields.length < width) fields.push('');
        yield* table.row(fields, `row ${row}${titles}`, errors);
        sinceTurn += length;
        if (sinceTurn < TURN_LENGTH) continue;
        await turn();
        sinceTurn = 0;
      }
      table.end();
    },
  };
}

/**
 * The rows of a table without those above it that have a title in one cell. A table of one column has none.
 *
 * @returns `titles`: with the first row, what was taken for its titles, for people
 */
async function* withoutTitles(rows: AsyncIterable<SheetRow>): AsyncGenerator<SheetRow & { titles: string }> {
  let above: SheetRow[] | undefined = [];
  for await (const row of rows) {
    const isTitle = row.fields.filter((field) => field !== '').length === 1;
    if (above && isTitle && above.length < MAX_TITLES) {
      above.push(row);
      continue;
    }
    if (above && isTitle) for (const title of above) yield { ...title, titles: '' };
    const count = isTitle ? 0 : (above?.length ?? 0);
    above = undefined;
    yield { ...row, titles: count === 0 ? '' : `, below ${count === 1 ? 'a title' : `titles in ${count} rows`}` };
  }
  for (const title of above ?? []) yield { ...title, titles: '' };
}

async function sheetOf(
  sheets: readonly Sheet[],
  layer: string | undefined,
  hasRows: (sheet: Sheet) => Promise<boolean>,
): Promise<Sheet> {
  if (layer !== undefined) return sheets[layerIn(namesOf(sheets), layer)] as Sheet;
  const shown = sheets.filter(({ isHidden }) => !isHidden);
  const filled: Sheet[] = [];
  for (const sheet of shown) {
    // Whether there are two decides.
    if (filled.length < 2 && (await hasRows(sheet))) filled.push(sheet);
  }
  const [only] = filled;
  if (!only) throw new FileFault('holds no table: no sheet that is shown has anything in it');
  return filled.length === 1 ? only : (shown[layerIn(namesOf(shown), undefined)] as Sheet);
}

const namesOf = (sheets: readonly Sheet[]) => sheets.map(({ name }) => name);

/** The parts of a workbook, each found by what another part says of it. */
class WorkbookParts {
  readonly #file: RandomAccess;
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  /** The path of the main part, and of the parts that it names by their ids. */
  #main = '';
  #relations: readonly Relation[] = [];

  private constructor(file: RandomAccess, entries: readonly ZipEntry[]) {
    this.#file = file;
    this.#entries = new Map(entries.map((entry) => [lowerAscii(entry.name.replaceAll('\\', '/')), entry]));
  }

  static async open(file: RandomAccess): Promise<WorkbookParts> {
    const parts = new WorkbookParts(file, await zipEntries(file));
    const main = (await parts.#relationsOf('')).find(({ type }) => type === 'officeDocument');
    if (!main || !parts.#entries.has(main.path)) throw new FileFault('is no workbook: it has no part with its sheets');
    parts.#main = main.path;
    parts.#relations = await parts.#relationsOf(main.path);
    return parts;
  }

  /** The sheets with cells, in their order, and whether days are counted from 1904. */
  async workbook(): Promise<{ sheets: Sheet[]; isFrom1904: boolean }> {
    const sheets: Sheet[] = [];
    let isFrom1904 = false;
    await this.#read(this.#main, (name, attributes) => {
      if (name === 'workbookPr') isFrom1904 = /^(1|true|on)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet' || sheets.length === MAX_RELATIONS) return;
      const [, id] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      const part = this.#relations.find((relation) => relation.id === id && relation.type === 'worksheet');
      const entry = part && this.#entries.get(part.path);
      if (entry)
        sheets.push({
          name: attributes.name ?? '',
          isHidden: (attributes.state ?? 'visible') !== 'visible',
          entry,
        });
    });
    return { sheets, isFrom1904 };
  }

  async texts(): Promise<readonly string[]> {
    const { handler, texts } = sharedTexts();
    await this.#readRelated('sharedStrings', handler);
    return texts;
  }

  async styles(): Promise<SheetContext['styles']> {
    const { handler, styles } = cellStyles();
    await this.#readRelated('styles', handler);
    return styles();
  }

  async #readRelated(type: string, handler: XmlHandler): Promise<void> {
    const part = this.#relations.find((relation) => relation.type === type);
    if (part) await this.#parse(part.path, handler);
  }

  /** The parts that a part names; of the archive itself for an empty path. */
  async #relationsOf(path: string): Promise<Relation[]> {
    const at = path.lastIndexOf('/') + 1;
    const relations: Relation[] = [];
    await this.#read(
      `${path.slice(0, at)}_rels/${path.slice(at)}.rels`,
      (name, { Id = '', Type = '', Target = '' }) => {
        if (name !== 'Relationship' || relations.length === MAX_RELATIONS) return;
        const type = Type.slice(Type.lastIndexOf('/') + 1);
        relations.push({ id: Id, type, path: resolved(path.slice(0, at), Target) });
      },
    );
    return relations;
  }

  /** Calls `open` for each element of a part. */
  async #read(path: string, open: (name: string, attributes: Readonly<Record<string, string>>) => void): Promise<void> {
    const handler: XmlHandler = {
      open: (name, attributes) => {
        open(name, attributes);
        return 0;
      },
      close: () => undefined,
    };
    await this.#parse(path, handler);
  }

  async #parse(path: string, handler: XmlHandler): Promise<void> {
    const entry = this.#entries.get(path);
    if (!entry) return;
    const reader = new XmlReader(handler);
    for await (const chunk of unpacked(this.#file, entry)) for (const _ of reader.push(chunk));
    for (const _ of reader.end());
  }
}

interface Relation {
  readonly id: string;
  /** The last part of its address, in which transitional and strict workbooks are the same. */
  readonly type: string;
  /** Path in the archive, in lower case. */
  readonly path: string;
}

/** The path in the archive of an address in a part of `folder`. */
function resolved(folder: string, target: string): string {
  const base = 'archive://workbook/';
  try {
    return lowerAscii(decodeURIComponent(new URL(target, base + folder).pathname.slice(1)));
  } catch {
    return '';
  }
}
