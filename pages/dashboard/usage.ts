import { requestJson } from '../shared/api.ts';
import { startCopyButton } from '../shared/copy.ts';
import { byId, el, quiet } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { curlAskingForKey, firstRequestOf } from './first-request.ts';
import type { PageContext } from './page-context.ts';
import { fillSection } from './section.ts';
import type { Stats } from './stats.ts';
import { chart, everyDay } from './usage-chart.ts';
import { dayTable, endpointTable, failureTable, keyTable, limitTable, statusTable } from './usage-tables.ts';

/** How long after a request its usage is shown, milliseconds: it is written every ten seconds. */
const WRITTEN_AFTER_MS = 12_000;

const WHEN_COUNTED =
  'The first ones of a key show here ten seconds later, further ones every ten minutes. The limit below counts them at once.';

/**
 * The requests that were made with the keys of the person who is signed in. Returns functions that read them again.
 *
 * @param refreshKeys reads again when the keys were used last
 */
export function startUsage({ session, showError, announce }: PageContext, refreshKeys: () => Promise<void>) {
  const keys = byId('usage-key', HTMLSelectElement);
  let timer: number | undefined;

  const refresh = () =>
    fillSection({ element: byId('usage', HTMLElement), what: 'Your usage', load: content }, showError);

  async function content(): Promise<Node[]> {
    const query = keys.value === '' ? '' : `?key_id=${keys.value}`;
    const stats = await requestJson<Stats>(`/v1/api-keys/stats${query}`, { token: await session().token() });
    showKeys(stats);
    if (stats.total_requests === 0) {
      const isUsed = keys.value === '' && (stats.limits.requests_per_minute.used ?? 0) > 0;
      if (isUsed) refreshLater();
      return [isUsed ? quiet(`Requests have come in. ${WHEN_COUNTED}`) : emptyState(stats), limitTable(stats)];
    }
    const days = everyDay(stats.requests_by_day ?? []);
    return [
      figures(stats),
      quiet(WHEN_COUNTED),
      chart(days),
      dayTable(days),
      el('div', { class: 'columns' }, statusTable(stats), keyTable(stats)),
      await failureTable(stats),
      endpointTable(stats),
      limitTable(stats),
    ];
  }

  /** Reads it again when requests that were sent by now can be in it. */
  function refreshLater(): void {
    clearTimeout(timer);
    timer = window.setTimeout(() => void Promise.all([refresh(), refreshKeys()]), WRITTEN_AFTER_MS);
  }

  function showKeys({ requests_by_key: used = [] }: Stats): void {
    const chosen = keys.value;
    const options = used.map(({ key_id, name }) => el('option', { value: key_id }, name));
    keys.replaceChildren(el('option', { value: '' }, 'all keys'), ...options);
    keys.value = chosen;
  }

  keys.addEventListener('change', () => void refresh());
  byId('usage-refresh', HTMLButtonElement).addEventListener('click', async () => {
    await Promise.all([refresh(), refreshKeys()]);
    announce('Usage is read again.');
  });
  return {
    refresh,
    /** Reads it again now, and when requests that are sent now can be in it. */
    refreshSoon: () => {
      void refresh();
      refreshLater();
    },
    forget: () => {
      clearTimeout(timer);
      keys.replaceChildren(el('option', { value: '' }, 'all keys'));
    },
  };
}

function emptyState({ total_keys: keys }: Stats): HTMLElement {
  if (keys === 0) {
    return el(
      'p',
      { class: 'empty' },
      'Your requests show here. First create a key: its dialog has a request to send.',
    );
  }
  const line = curlAskingForKey(firstRequestOf(null));
  const copy = el('button', { type: 'button', 'aria-label': 'Copy the first request' }, 'Copy');
  startCopyButton(copy, () => line);
  return el(
    'div',
    { class: 'empty' },
    el(
      'p',
      {},
      'No requests yet. Paste this into a terminal, which asks for your key; it shows here ten seconds later.',
    ),
    el('div', { class: 'code' }, el('pre', { tabindex: '0' }, line), copy),
  );
}

function figures({ total_requests: total, avg_response_time: time, success_rate: rate }: Stats): HTMLElement {
  const figure = (value: string, what: string) => el('div', {}, el('b', {}, value), el('span', {}, what));
  return el(
    'div',
    { class: 'figures' },
    figure(number(total), total === 1 ? 'request' : 'requests'),
    // A server on your own machine measures nothing.
    figure(Math.round(time) > 0 ? `${Math.round(time)} ms` : '—', 'average response'),
    figure(`${rate.toFixed(rate === 100 ? 0 : 1)} %`, 'succeeded'),
  );
}
