import type { DataOf } from '../../clients/typescript/src/types.ts';
import { requestJson } from '../shared/api.ts';
import { day, moment } from '../shared/dates.ts';
import { button, byId, el } from '../shared/dom.ts';
import { confirmAction } from './dialogs.ts';
import { startKeyDialog } from './key-dialog.ts';
import type { PageContext } from './page-context.ts';
import { type NewKey, showNewKey } from './secret-dialog.ts';
import { fillSection } from './section.ts';
import { cell, mark, recordTable } from './table.ts';

/** A key as the service lists it. */
type Key = DataOf<'list_api_keys'>[number];

/** How long the old key stays valid after a rotation, seconds. */
const GRACE_SECONDS = 3600;

/**
 * The keys of the person who is signed in. Returns a function that reads them again.
 *
 * @param onCopied called when a new key has been shown, with which requests may come soon
 */
export function startKeys(
  { session, showError, announce }: PageContext,
  onCopied: () => void,
): { refresh(): Promise<void> } {
  const requestAsUser = async <T>(path: string, method: 'GET' | 'POST' = 'GET', body?: object) => {
    const token = await session().token();
    const { data } = await requestJson<{ data: T }>(path, { method, token, ...(body ? { body } : {}) });
    return data;
  };

  const refresh = () =>
    fillSection({ element: byId('keys', HTMLElement), what: 'Your keys', load: content }, showError);

  async function content(): Promise<Node[]> {
    const keys = await requestAsUser<Key[]>('/v1/api-keys');
    return [keys.length > 0 ? table(keys) : emptyState()];
  }

  function emptyState(): HTMLElement {
    const about =
      'You have no keys yet. With a key, programs use the service in your name. It takes a name and a click.';
    return el('p', { class: 'empty' }, about);
  }

  const revoke = async (key: Key) => {
    const text = `Whatever uses svc_sk_${key.environment}_${key.prefix}_… is refused from the next request on.`;
    if (!(await confirmAction({ title: `Revoke “${key.name}”?`, text, yes: 'Revoke' }))) return;
    await requestAsUser(`/v1/api-keys/${key.id}/revoke`, 'POST');
    announce(`${key.name} is revoked.`);
    await refresh();
  };

  const rotate = async (key: Key) => {
    const text = 'You get a new key now. The old one works for one hour more.';
    if (!(await confirmAction({ title: `Rotate “${key.name}”?`, text, yes: 'Rotate' }))) return;
    const body = { grace_seconds: GRACE_SECONDS };
    const rotated = await requestAsUser<NewKey>(`/v1/api-keys/${key.id}/rotate`, 'POST', body);
    await refresh();
    await showNewKey(rotated);
    onCopied();
  };

  function table(keys: readonly Key[]): HTMLElement {
    const rows = keys.map((key) => {
      const active = key.status === 'active';
      return el(
        'tr',
        { 'data-status': key.status },
        cell('Name', el('strong', {}, key.name), ' ', active ? undefined : mark(key.status)),
        cell('Key', el('code', {}, `svc_sk_${key.environment}_${key.prefix}_…`)),
        cell('May do', key.scopes?.join(', ') ?? 'everything', ` · ${key.rate_limit_rpm ?? 60} per minute`),
        cell('Last used', key.last_used_at ? moment(key.last_used_at) : 'never'),
        cell('Expires', key.expires_at ? day(key.expires_at) : 'never'),
        active ? cell('', action('Rotate', rotate, key), ' ', action('Revoke', revoke, key)) : cell(''),
      );
    });
    return recordTable(['Name', 'Key', 'May do', 'Last used', 'Expires', ''], rows);
  }

  function action(label: string, act: (key: Key) => Promise<void>, key: Key): HTMLButtonElement {
    return button(label, () => void act(key).catch(showError), {
      'aria-label': `${label} ${key.name}`,
      'data-act': `${label} ${key.id}`,
    });
  }

  const openButton = byId('new-key', HTMLButtonElement);
  startKeyDialog({
    openButton,
    onCopied,
    createKey: async (input) => {
      const created = await requestAsUser<NewKey & { name: string }>('/v1/api-keys', 'POST', input);
      announce(`${created.name} is created.`);
      await refresh();
      return created;
    },
  });
  return { refresh };
}
