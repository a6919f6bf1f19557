import { askJson } from '../shared/api.ts';
import { button, byId, el } from '../shared/dom.ts';
import { confirmed } from './confirm.ts';
import { day, moment } from './format.ts';
import { startKeyDialog } from './key-dialog.ts';
import { showSecret } from './secret.ts';
import type { Session } from './session.ts';

/** A key as the service lists it. */
interface Key {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly environment: 'live' | 'test';
  readonly status: 'active' | 'revoked' | 'expired';
  readonly scopes: readonly string[] | null;
  readonly rate_limit_rpm: number | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly created_at: string;
}

/** How long the old key goes on working after a rotation, seconds. */
const GRACE_SECONDS = 3600;

interface Surroundings {
  session: () => Session;
  fail: (error: unknown) => void;
  announce: (sentence: string) => void;
}

/** The keys of whoever is signed in. Gives the way to read them anew. */
export function startKeys({ session, fail, announce }: Surroundings): { refresh(): Promise<void> } {
  const list = byId('keys', HTMLElement);
  const ask = async <T>(path: string, method: 'GET' | 'POST' = 'GET', body?: object) => {
    const token = await session().token();
    return askJson<{ data: T }>(path, { method, token, ...(body ? { body } : {}) });
  };

  async function refresh(): Promise<void> {
    const { data } = await ask<Key[]>('/v1/api-keys');
    list.replaceChildren(data.length > 0 ? table(data) : el('p', { class: 'quiet' }, 'You have no keys yet.'));
  }

  function act(work: () => Promise<void>): () => void {
    return () => void work().catch(fail);
  }

  const revoke = async (key: Key) => {
    const text = `Whatever uses svc_sk_${key.environment}_${key.prefix}_… is refused from the next request on.`;
    if (!(await confirmed({ title: `Revoke “${key.name}”?`, text, yes: 'Revoke' }))) return;
    await ask(`/v1/api-keys/${key.id}/revoke`, 'POST');
    announce(`${key.name} is revoked.`);
    await refresh();
  };

  const rotate = async (key: Key) => {
    const text = 'You get a new key now. The old one works for one hour more.';
    if (!(await confirmed({ title: `Rotate “${key.name}”?`, text, yes: 'Rotate' }))) return;
    const body = { grace_seconds: GRACE_SECONDS };
    const { data } = await ask<{ key: string }>(`/v1/api-keys/${key.id}/rotate`, 'POST', body);
    await refresh();
    await showSecret(data.key);
  };

  function table(keys: readonly Key[]): HTMLElement {
    const head = ['Name', 'Key', 'May do', 'Last used', 'Expires', ''];
    const rows = keys.map((key) => {
      const active = key.status === 'active';
      return el(
        'tr',
        { 'data-status': key.status },
        cell('Name', el('strong', {}, key.name), ' ', active ? undefined : el('span', { class: 'mark' }, key.status)),
        cell('Key', el('code', {}, `svc_sk_${key.environment}_${key.prefix}_…`)),
        cell('May do', key.scopes?.join(', ') ?? 'everything', ` · ${key.rate_limit_rpm ?? 60} per minute`),
        cell('Last used', key.last_used_at ? moment(key.last_used_at) : 'never'),
        cell('Expires', key.expires_at ? day(key.expires_at) : 'never'),
        active
          ? cell(
              '',
              button(
                'Rotate',
                act(() => rotate(key)),
                { 'aria-label': `Rotate ${key.name}` },
              ),
              ' ',
              button(
                'Revoke',
                act(() => revoke(key)),
                { 'aria-label': `Revoke ${key.name}` },
              ),
            )
          : cell(''),
      );
    });
    const names = el(
      'tr',
      {},
      ...head.map((name) => el('th', { scope: 'col' }, name || el('span', { class: 'unseen' }, 'Actions'))),
    );
    return el('table', { class: 'records' }, el('thead', {}, names), el('tbody', {}, ...rows));
  }

  startKeyDialog({
    open: byId('new-key', HTMLButtonElement),
    create: async (wish) => {
      const { data } = await ask<{ key: string; name: string }>('/v1/api-keys', 'POST', wish);
      announce(`${data.name} is created.`);
      await refresh();
      return data.key;
    },
  });
  return { refresh };
}

/** A cell of a table that is a card where the page is narrow, with the name of its column. */
export function cell(column: string, ...children: (Node | string | undefined)[]): HTMLElement {
  return el('td', column ? { 'data-column': column } : { class: 'actions' }, ...children);
}
