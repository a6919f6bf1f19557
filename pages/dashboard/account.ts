import type { DataOf } from '../../clients/typescript/src/types.ts';
import { requestJson, sentenceFor } from '../shared/api.ts';
import { day } from '../shared/dates.ts';
import { button, byId, el } from '../shared/dom.ts';
import { openDialog } from './dialogs.ts';
import type { PageContext } from './page-context.ts';
import { saveAnswer } from './save-answer.ts';
import { fillSection } from './section.ts';

type Account = DataOf<'get_account'>;
type Deletion = DataOf<'delete_account'>;

/**
 * The account of the person who is signed in: its export and its deletion. Returns a function that reads it again.
 *
 * @param onDeleted called when the account is deleted, so that the session is over
 */
export function startAccount(
  { session, showError }: PageContext,
  onDeleted: () => Promise<void>,
): { refresh(): Promise<void> } {
  const progress = el('p', { role: 'status' });
  const exporting = button('Export your data', () => void exportAll());

  const refresh = () =>
    fillSection({ element: byId('account', HTMLElement), what: 'Your account', load: content }, showError);

  async function content(): Promise<Node[]> {
    const token = await session().token();
    const { data } = await requestJson<{ data: Account }>('/v1/account', { token });
    return [
      el(
        'p',
        {},
        `${data.email ?? 'An account without an address'}, since ${day(data.created_at)}. The export has all that the service has of you: the account, keys without their secrets, usage and datasets.`,
      ),
      el(
        'p',
        { class: 'actions' },
        exporting,
        button('Delete the account', () => askToDelete(data), { class: 'danger', 'data-act': 'Delete the account' }),
      ),
      progress,
    ];
  }

  async function exportAll(): Promise<void> {
    exporting.disabled = true;
    const onProgress = (sentence: string) => {
      progress.textContent = sentence;
    };
    try {
      await saveAnswer('/v1/account/export', { token: await session().token(), fileName: 'account.json', onProgress });
    } catch (error) {
      progress.textContent = sentenceFor(error, 'The export could not be read to its end. Try again.');
    } finally {
      exporting.disabled = false;
    }
  }

  function askToDelete(account: Account): void {
    const wanted = account.email ?? account.id;
    const typed = el('input', { id: 'delete-confirm', class: 'text-field', autocomplete: 'off', spellcheck: 'false' });
    const error = el('p', { class: 'error', role: 'alert' });
    const agree = el('button', { type: 'submit', class: 'danger', disabled: true }, 'Delete everything');
    typed.addEventListener('input', () => {
      agree.disabled = typed.value.trim().toLowerCase() !== wanted.toLowerCase();
    });
    const days = account.erasure_grace_days;
    const form = el(
      'form',
      {},
      el(
        'p',
        {},
        'Your keys stop working now, and your datasets are no longer shown to anybody. ',
        days === 0
          ? 'Everything is erased at once, and nobody can bring it back.'
          : `For ${days} ${days === 1 ? 'day' : 'days'} the operators of this service can restore the account. Then everything is erased, and nobody can bring it back.`,
      ),
      el('label', { for: 'delete-confirm' }, `Type ${wanted} to confirm`),
      typed,
      error,
      el(
        'p',
        { class: 'actions' },
        agree,
        button('Cancel', () => dialog.close()),
      ),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (agree.disabled) return;
      agree.disabled = true;
      remove(account)
        .then(() => dialog.close())
        .catch((fault: unknown) => {
          agree.disabled = false;
          error.textContent = sentenceFor(fault, String((fault as Error).message));
        });
    });
    const dialog = openDialog('Delete your account?', form);
    typed.focus();
  }

  async function remove({ id }: Account): Promise<void> {
    const token = await session().token();
    await requestJson<{ data: Deletion }>(`/v1/account?confirm=${id}`, { method: 'DELETE', token });
    await onDeleted();
  }

  return { refresh };
}
