import { freshToken } from '../shared/credentials.ts';
import { button, el } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { sendFile } from '../shared/send-file.ts';
import { headingOf } from './groups.ts';
import { pointColumns, pointRows } from './point-columns.ts';
import { csvParts } from './result.ts';
import { showStoredMap, waitingTab } from './stored-map.ts';
import type { Source, Table } from './table.ts';

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
