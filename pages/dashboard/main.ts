import { PsgcError, sentenceFor } from '../shared/api.ts';
import { offerToken, onTokenForgotten, setTokenRenewal, shareToken } from '../shared/credentials.ts';
import { byId, showPreparation } from '../shared/dom.ts';
import { type IdentityProvider, openProvider } from '../shared/identity-provider.ts';
import { showServedEdition } from '../shared/served-edition.ts';
import {
  isSamePerson,
  readSignInMethod,
  type Session,
  type SignInMethod,
  signInLocally,
  startSession,
  storedSession,
} from '../shared/session.ts';
import { startAccount } from './account.ts';
import { startDatasets } from './datasets.ts';
import { startKeys } from './keys.ts';
import type { PageContext } from './page-context.ts';
import { renewTokenOnLinks } from './token-links.ts';
import { startUsage } from './usage.ts';
import { startWebhooks } from './webhooks.ts';

const ABOUT: Readonly<Record<SignInMethod['way'], string>> = {
  local:
    'This server runs on your machine and knows everybody: any address will do. The session stays in the open tabs of this browser.',
  provider: 'You sign in at the identity provider and come back here.',
  token:
    'Enter a session token of the identity provider. It stays in the open tabs of this browser, and is forgotten with the last of them.',
};

let current: Session | undefined;
let method: SignInMethod | undefined;
let provider: IdentityProvider | undefined;

const context: PageContext = {
  session: () => {
    if (!current) throw new Error('Sign in first.');
    return current;
  },
  showError,
  announce: (sentence: string) => {
    byId('announcement', HTMLElement).textContent = sentence;
  },
};
// Each refreshes the other, so `keys` is typed by hand.
const usage = startUsage(context, () => keys.refresh());
const keys: ReturnType<typeof startKeys> = startKeys(context, usage.refreshSoon);
const datasets = startDatasets(context);
const webhooks = startWebhooks(context);
const account = startAccount(context, () => endSession('Your account is deleted.'));

/** Says why one is here, and that the tab one came from goes on. */
function showWayBack(sentence: string): void {
  const back = byId('back', HTMLElement);
  back.textContent = sentence;
  back.hidden = location.hash !== '#back';
}

/** Whoever stays here and does something, or loads the page again, does not go back. */
function endWayBack(): void {
  if (location.hash !== '#back') return;
  history.replaceState(null, '', location.pathname + location.search);
  for (const type of ['click', 'change', 'drop']) {
    addEventListener(type, () => byId('back', HTMLElement).toggleAttribute('hidden', true), { once: true });
  }
}

/** Shows all sections to the person who is signed in, and reads their lists (again). */
async function showDashboard(session: Session): Promise<void> {
  current = session;
  // A tab that is opened from here gets a token that has not expired.
  setTokenRenewal(() => session.token());
  // `token()` stores a fresh token, and `offerToken` gives the stored one to tabs that wait for somebody to sign in.
  session.token().then(offerToken, () => undefined);
  byId('who', HTMLElement).textContent = session.displayName;
  byId('notice', HTMLElement).hidden = true;
  showWayBack('You are signed in. The tab that you came from goes on by itself: close this one.');
  endWayBack();
  byId('sign-in', HTMLElement).hidden = true;
  byId('signed-in', HTMLElement).hidden = false;
  await Promise.all([keys, usage, datasets, webhooks, account].map((section) => section.refresh()));
}

function showError(error: unknown): void {
  if (error instanceof PsgcError && error.status === 401) {
    void endSession(error.message);
    return;
  }
  const notice = byId('notice', HTMLElement);
  notice.textContent = sentenceFor(error, String((error as Error).message));
  notice.hidden = false;
  // The failed section may be out of sight.
  notice.focus();
}

async function endSession(reason = ''): Promise<void> {
  const session = current;
  current = undefined;
  setTokenRenewal(undefined);
  await session?.end();
  for (const id of ['keys', 'usage', 'datasets', 'webhooks', 'account']) byId(id, HTMLElement).replaceChildren();
  for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) {
    // A new secret is shown only once, so its dialog stays open.
    if (dialog.id !== 'secret-dialog') dialog.close();
  }
  usage.forget();
  byId('signed-in', HTMLElement).hidden = true;
  await showSignIn(reason);
}

async function showSignIn(reason = ''): Promise<void> {
  const errorText = byId('sign-in-error', HTMLElement);
  errorText.textContent = reason;
  showWayBack('Sign in here, and the tab that you came from goes on by itself.');
  byId('sign-in', HTMLElement).hidden = false;
  try {
    const { way } = await loadSignIn();
    byId('sign-in-about', HTMLElement).textContent = ABOUT[way];
    byId('local-form', HTMLElement).hidden = way !== 'local';
    byId('token-form', HTMLElement).hidden = way !== 'token';
    byId('provider', HTMLElement).hidden = way !== 'provider';
  } catch (error) {
    errorText.textContent = (error as Error).message;
  }
}

/** Reads once how people sign in here, and loads the identity provider's script if they sign in through it. */
async function loadSignIn(): Promise<SignInMethod> {
  method ??= await readSignInMethod();
  if (method.way === 'local') void showPreparation('database');
  if (method.way === 'provider') provider ??= await openProvider(method.publishable_key, method.host);
  return method;
}

/** Continues the session of this tab, or shows the form to sign in. */
async function start(): Promise<void> {
  try {
    await Promise.all([loadSignIn(), shareToken()]);
  } catch (error) {
    await showSignIn((error as Error).message);
    return;
  }
  // A token of the provider expires after a minute, and only the provider's script can renew and end its session.
  const session = provider ? provider.session() : storedSession();
  await (session ? showDashboard(session) : showSignIn());
}

byId('local-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  signInLocally(byId('local-email', HTMLInputElement).value)
    .then(showDashboard)
    .catch((error: Error) => {
      byId('sign-in-error', HTMLElement).textContent = error.message;
    });
});
byId('token-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  const input = byId('session-token', HTMLInputElement);
  const token = input.value.trim();
  input.value = '';
  void showDashboard(startSession(token));
});
byId('provider-button', HTMLButtonElement).addEventListener('click', () => provider?.signIn());
byId('sign-out', HTMLButtonElement).addEventListener('click', () => void endSession());

renewTokenOnLinks(() => current);
onTokenForgotten(() => void endSession('You have signed out in another tab.'), isSamePerson);
addEventListener('prepared', (event) => {
  // The development server has finished preparing data. A reload would clear a form that somebody is filling in, so only the
  // lists are read again.
  event.preventDefault();
  if (current) void showDashboard(current);
});
void start();
void showServedEdition();
