// The token lives as long as a tab with it is open. It is never put into a URL, a cookie, or storage that other
// tabs can read: a tab that is opened asks the others of this browser and this service for it.

const NAME = 'token';

/** How long a new tab waits for another that has a token, milliseconds. Tabs answer within a few. */
const HAND_OVER_MS = 200;

let isSame = (mine: string, forgotten: string): boolean => mine === forgotten;
let leave: (() => void) | undefined;

/**
 * Calls a function when the token of this tab is forgotten in another one.
 *
 * @param same whether the token of this tab, which it may have renewed, stands for the same person as the other; by default, whether
 * they are equal
 */
export function onTokenForgotten(act: () => void, same = isSame): void {
  leave = act;
  isSame = same;
}

/** What tabs tell each other. */
type Message = { readonly wanted: true } | { readonly token: string } | { readonly forgotten: string };

let signedIn: (() => void) | undefined;

/** Calls a function when somebody signs in in another tab, whose token this one has taken because it had none. */
export function onSignIn(act: () => void): void {
  signedIn = act;
}

/** Gives the token of this tab to the other tabs that wait for one. */
export function offerToken(): void {
  const token = currentToken();
  if (token !== undefined) tell({ token });
}

let channel: InstanceType<typeof BroadcastChannel> | undefined;

/** The bearer token of this tab. */
export function currentToken(): string | undefined {
  return sessionStorage.getItem(NAME) || undefined;
}

let renewal: (() => Promise<unknown>) | undefined;

/** Calls a function before each request with the token of this tab, which it may replace; without it the token stays. */
export function setTokenRenewal(renew: (() => Promise<unknown>) | undefined): void {
  renewal = renew;
}

/** The bearer token of this tab, renewed. Where it can't be, it is the service that says what is wrong with the old one. */
export async function freshToken(): Promise<string | undefined> {
  await renewal?.().catch(() => undefined);
  return currentToken();
}

/** Keeps a token in this tab. Without one, it has none. */
export function storeToken(token = ''): void {
  sessionStorage.setItem(NAME, token);
}

/** Forgets the token, here and in the other tabs that have the same. */
export function forgetToken(): void {
  const forgotten = currentToken();
  sessionStorage.removeItem(NAME);
  if (forgotten !== undefined) tell({ forgotten });
}

function tell(message: Message): void {
  channel?.postMessage(message);
}

/**
 * Hands the token of this tab to tabs that are opened later, and takes that of another where this one has none. Only pages
 * of this origin can listen.
 *
 * @returns once this tab has a token, or no other has answered for a moment
 */
export async function shareToken(): Promise<void> {
  channel ??= new BroadcastChannel(NAME);
  const open = channel;
  let isWaiting = currentToken() === undefined;
  await new Promise<void>((resolve) => {
    open.onmessage = async ({ data }: { data: Message }) => {
      if ('token' in data) {
        // What comes later answers another tab, unless this one waits until somebody signs in.
        const isLate = !isWaiting && signedIn !== undefined && currentToken() === undefined;
        if (isWaiting || isLate) storeToken(data.token);
        isWaiting = false;
        resolve();
        if (isLate) signedIn?.();
      } else if ('forgotten' in data) {
        const mine = currentToken();
        if (mine === undefined || !isSame(mine, data.forgotten)) return;
        sessionStorage.removeItem(NAME);
        leave?.();
      } else {
        const token = currentToken() === undefined ? undefined : await freshToken();
        if (token !== undefined) tell({ token });
      }
    };
    if (!isWaiting) return resolve();
    tell({ wanted: true });
    setTimeout(() => {
      isWaiting = false;
      resolve();
    }, HAND_OVER_MS);
  });
}
