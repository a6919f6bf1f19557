import { lowerAscii } from '../../src/ascii.ts';
import { LATITUDE_COLUMNS, LONGITUDE_COLUMNS, WKT_COLUMNS } from '../../src/geojson/geometry-columns.ts';
import { freshToken } from '../shared/credentials.ts';
import { button, el } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { sendFile } from '../shared/send-file.ts';
import { numberOf } from '../shared/values.ts';
import { headingOf } from './groups.ts';
import { csvParts } from './result.ts';
import { showStoredMap, waitingTab } from './stored-map.ts';
import { type Cell, type Source, type Table, textOf } from './table.ts';

/** The names of coordinates in Filipino, besides those that uploads know. */
const LATITUDES: ReadonlySet<string> = new Set([...LATITUDE_COLUMNS, 'latitud']);
const LONGITUDES: ReadonlySet<string> = new Set([...LONGITUDE_COLUMNS, 'longitud', 'longhitud']);

/** The columns of the coordinates of points, by their places in the table. */
interface PointColumns {
  readonly latitude: number;
  readonly longitude: number;
}

/** The columns of coordinates; undefined where there are none, or no row has two numbers there that are coordinates. */
export function pointColumns({ headings, rows }: Pick<Table, 'headings' | 'rows'>): PointColumns | undefined {
  const find = (names: ReadonlySet<string>) => headings.findIndex((heading) => names.has(lowerAscii(heading.trim())));
  const [latitude, longitude] = [find(LATITUDES), find(LONGITUDES)];
  if (latitude < 0 || longitude < 0) return undefined;
  const isWithin = (cell: Cell | undefined, most: number) => Math.abs(numberOf(textOf(cell)) ?? Infinity) <= most;
  return rows.some((row) => isWithin(row[latitude], 90) && isWithin(row[longitude], 180))
    ? { latitude, longitude }
    : undefined;
}

/** The rows that an upload reads as points, headings first. No other column is called as one of a geometry. */
export function pointRows({ headings, rows }: Pick<Table, 'headings' | 'rows'>, at: PointColumns): Cell[][] {
  const names: string[] = [];
  for (const index of headings.keys()) {
    const heading = headingOf(headings, index).trim();
    const key = lowerAscii(heading);
    const isTaken = [LATITUDE_COLUMNS, LONGITUDE_COLUMNS, WKT_COLUMNS].some((known) => known.has(key));
    const plain = isTaken ? `${heading} (list)` : heading;
    const name = index === at.latitude ? 'latitude' : index === at.longitude ? 'longitude' : plain;
    let own = name;
    for (let n = 2; names.includes(own); n += 1) own = `${name} ${n}`;
    names.push(own);
  }
  return [names, ...rows.map((row) => [...row])];
}

export interface PointsOffer {
  readonly element: HTMLElement;
  /** Goes on with the map that somebody had to sign in for. */
  goOn(): void;
}

/** The way to a map of points from a list with coordinates; undefined for one without. */
export function pointsOffer({ name }: Source, table: Table): PointsOffer | undefined {
  const at = pointColumns(table);
  if (!at) return undefined;
  const status = el('span', { role: 'status' });
  let isWanted = false;
  const make = async () => {
    const tab = waitingTab();
    asking.disabled = true;
    isWanted = false;
    status.textContent = 'Storing the points…';
    try {
      const token = await freshToken();
      if (token === undefined) {
        tab.close();
        isWanted = true;
        const signIn = el('a', { class: 'button main', href: '/dashboard#back', target: '_blank' }, 'Sign in');
        status.replaceChildren('Sign in, and the map is made by itself. ', signIn);
        signIn.focus();
      } else {
        const stored = await sendFile({
          file: new File([...csvParts(pointRows(table, at), { separator: ',', hasMark: false })], `${name}.csv`, {
            type: 'text/csv',
          }),
          ...{ name, fileOnly: false, skipInvalid: true, token, signal: new AbortController().signal },
          onProgress: (sent, total) => {
            status.textContent = `Storing the points: ${Math.floor((100 * sent) / total)} % are sent.`;
          },
        });
        const { feature_count: count, skipped } = stored;
        const left =
          skipped > 0 ? `${number(skipped)} without coordinates ${skipped === 1 ? 'was' : 'were'} left out. ` : '';
        const sentence = `${number(count)} ${count === 1 ? 'point is' : 'points are'} stored. ${left}`;
        showStoredMap(status, { id: stored.id, sentence, tab });
      }
    } catch (error) {
      tab.close();
      status.textContent = error instanceof Error ? error.message : String(error);
    }
    asking.disabled = false;
  };
  const asking = button('Make a map of the points', () => void make(), { class: 'main' });
  const columns = [at.latitude, at.longitude].map((index) => headingOf(table.headings, index)).join(' and ');
  return {
    element: el('div', { class: 'note' }, `The list has coordinates, in ${columns}. `, asking, ' ', status),
    goOn() {
      if (isWanted) void make();
    },
  };
}
