import type { DataOf } from '../../clients/typescript/src/types.ts';
import { requestJson, sentenceFor } from '../shared/api.ts';
import { moment } from '../shared/dates.ts';
import { button, byId, el } from '../shared/dom.ts';
import { confirmAction, openDialog } from './dialogs.ts';
import type { PageContext } from './page-context.ts';
import { type Secret, showSecret } from './secret-dialog.ts';
import { fillSection } from './section.ts';
import { cell, mark, recordTable } from './table.ts';
import { logNote, stateOf } from './webhook-texts.ts';

type Endpoint = DataOf<'list_webhook_endpoints'>[number];
type WithSecret = DataOf<'create_webhook_endpoint'>;
type Delivery = DataOf<'list_webhook_deliveries'>[number];

const PATH = '/v1/webhook-endpoints';

/** How many of the newest deliveries the log shows. */
const MAX_SHOWN = 50;

/** The types of events, and what they tell. */
const EVENTS: Readonly<Record<Endpoint['events'][number], string>> = {
  'dataset.processed': 'a dataset of yours was stored or replaced',
  'release.activated': 'a new release is served',
  'area.changed': 'an area that the webhook follows changed in a new edition',
};

/** Fills the part of the page with the webhooks of the person who is signed in. Returns a function that reads them again. */
export function startWebhooks({ session, showError, announce }: PageContext): { refresh(): Promise<void> } {
  const asUser = async <T>(path: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE' = 'GET', body?: object) => {
    const token = await session().token();
    return requestJson<{ data: T; meta?: { total?: number } }>(PATH + path, {
      method,
      token,
      ...(body ? { body } : {}),
    });
  };

  const refresh = () =>
    fillSection({ element: byId('webhooks', HTMLElement), what: 'Your webhooks', load: content }, showError);

  async function content(): Promise<Node[]> {
    const { data } = await asUser<Endpoint[]>('');
    if (data.length > 0) return [table(data)];
    const about = 'You have no webhooks yet. A program of yours can be told when data changes.';
    return [el('p', { class: 'empty' }, about)];
  }

  function table(endpoints: readonly Endpoint[]): HTMLElement {
    const rows = endpoints.map((endpoint) => {
      const { url, enabled, description, events, areas } = endpoint;
      const follows = areas.length > 0 ? ` · ${areas.length} ${areas.length === 1 ? 'area' : 'areas'}` : '';
      return el(
        'tr',
        { 'data-status': enabled ? 'active' : 'disabled' },
        cell(
          'Address',
          el('strong', {}, url),
          ' ',
          enabled ? undefined : mark('disabled'),
          description ? el('div', {}, description) : undefined,
        ),
        cell('Events', events.join(', ') + follows),
        cell('State', stateOf(endpoint)),
        cell(
          '',
          ...(enabled ? [action('Test', test, endpoint), ' '] : []),
          action('Log', openLog, endpoint),
          ' ',
          action('New secret', rotate, endpoint),
          ' ',
          action(enabled ? 'Disable' : 'Enable', toggle, endpoint),
          ' ',
          action('Delete', remove, endpoint),
        ),
      );
    });
    return recordTable(['Address', 'Events', 'State', ''], rows);
  }

  function action(label: string, act: (endpoint: Endpoint) => Promise<void>, endpoint: Endpoint): HTMLButtonElement {
    return button(label, () => void act(endpoint).catch(showError), {
      'aria-label': `${label} ${endpoint.url}`,
      'data-act': `${label} ${endpoint.id}`,
    });
  }

  const test = async (endpoint: Endpoint) => {
    await asUser(`/${endpoint.id}/test`, 'POST');
    announce('The test is on its way.');
    await openLog(endpoint);
  };

  const toggle = async ({ id, enabled }: Endpoint) => {
    await asUser(`/${id}`, 'PATCH', { enabled: !enabled });
    await refresh();
  };

  const rotate = async ({ id }: Endpoint) => {
    const text = 'You get a new secret now. Deliveries are signed with the old one too, for one day more.';
    if (!(await confirmAction({ title: 'Replace the secret?', text, yes: 'Replace' }))) return;
    await showSecret(secretOf((await asUser<WithSecret>(`/${id}/rotate-secret`, 'POST', {})).data));
  };

  const remove = async ({ id, url }: Endpoint) => {
    const text = `Nothing more is sent to ${url}. Its log is deleted too.`;
    if (!(await confirmAction({ title: 'Delete the webhook?', text, yes: 'Delete' }))) return;
    await asUser(`/${id}`, 'DELETE');
    await refresh();
  };

  /** Opens the dialog with what an endpoint was told, newest first, and buttons that send it again. */
  async function openLog({ id, url, enabled }: Endpoint): Promise<void> {
    const log = el('div', { tabindex: '-1' });
    const load = async () => {
      const { data, meta } = await asUser<Delivery[]>(`/${id}/deliveries?limit=${MAX_SHOWN}`);
      const note = logNote(data.length, meta?.total ?? 0);
      return [
        ...(data.length > 0 ? [logTable(data)] : []),
        ...(note === undefined ? [] : [el('p', { class: 'quiet' }, note)]),
      ];
    };
    const read = () => fillSection({ element: log, what: 'The log', load }, showError);
    const replay = async (delivery: Delivery) => {
      await asUser(`/${id}/deliveries/${delivery.id}/replay`, 'POST');
      await read();
    };
    const logTable = (deliveries: readonly Delivery[]) =>
      recordTable(
        ['Event', 'When', 'Result', ''],
        deliveries.map((delivery) => {
          const { type, status, attempts, created_at: at, next_attempt_at: next, last_error: error } = delivery;
          const told = `${status}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
          return el(
            'tr',
            {},
            cell('Event', type),
            cell('When', moment(at)),
            cell(
              'Result',
              told,
              el('div', {}, error ?? '', next && attempts > 0 ? ` Next at ${moment(next)}.` : ''),
              delivery.response_excerpt ? el('code', {}, delivery.response_excerpt.slice(0, 200)) : undefined,
            ),
            status === 'pending' || !enabled
              ? cell('')
              : cell(
                  '',
                  button('Send again', () => void replay(delivery).catch(showError), { 'data-act': delivery.id }),
                ),
          );
        }),
      );
    const dialog = openDialog(
      `What ${url} was told`,
      log,
      actions(
        button('Refresh', () => void read()),
        button('Close', () => dialog.close()),
      ),
    );
    dialog.addEventListener('close', () => void refresh());
    await read();
  }

  /** The dialog that adds a webhook. */
  function openForm(): void {
    const url = el('input', {
      id: 'webhook-url',
      class: 'text-field',
      type: 'url',
      required: true,
      autocomplete: 'off',
      placeholder: 'https://example.org/psgc',
    });
    const areas = el('input', {
      id: 'webhook-areas',
      class: 'text-field',
      autocomplete: 'off',
      placeholder: '0702200000',
    });
    const boxes = Object.entries(EVENTS).map(([event, about]) => {
      const box = el('input', { type: 'checkbox', value: event, checked: event === 'dataset.processed' });
      return { box, label: el('label', { class: 'choice' }, box, el('span', {}, `${event}: ${about}`)) };
    });
    const chosen = () => boxes.filter(({ box }) => box.checked).map(({ box }) => box.value);
    const followsAreas = () => chosen().includes('area.changed');
    const codesLabel = el('label', { for: areas.id }, 'Codes of the areas that it follows, with commas between them');
    const followed = el('div', { hidden: true }, codesLabel, areas);
    const error = el('p', { class: 'error', role: 'alert' });
    const submit = el('button', { type: 'submit', class: 'main' }, 'Add');
    const form = el(
      'form',
      {},
      el('label', { for: url.id }, 'Address'),
      url,
      el('fieldset', {}, el('legend', {}, 'Events'), ...boxes.map(({ label }) => label)),
      followed,
      error,
      actions(
        submit,
        button('Cancel', () => dialog.close()),
      ),
    );
    const dialog = openDialog('Add a webhook', form);
    form.addEventListener('change', () => {
      followed.hidden = !followsAreas();
    });
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      error.textContent = '';
      submit.disabled = true;
      const codes = followsAreas() ? areas.value.split(/[\s,;]+/).filter((code) => code !== '') : [];
      try {
        const { data } = await asUser<WithSecret>('', 'POST', { url: url.value, events: chosen(), areas: codes });
        dialog.close();
        await showSecret(secretOf(data));
        await refresh();
      } catch (fault) {
        // The field has another name than the parameter.
        error.textContent = sentenceFor(fault, (fault as Error).message).replace(/^url: /, 'The address ');
      } finally {
        submit.disabled = false;
      }
    });
  }

  byId('new-webhook', HTMLButtonElement).addEventListener('click', openForm);
  return { refresh };
}

function secretOf({ secret }: WithSecret): Secret {
  return {
    text: secret,
    what: 'secret',
    title: 'The secret of the webhook',
    about: 'Copy it now: it is shown this once. With it your program verifies what it receives.',
  };
}

function actions(...children: readonly Node[]): HTMLElement {
  return el('p', { class: 'actions' }, ...children);
}
