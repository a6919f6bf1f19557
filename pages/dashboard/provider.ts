import { forgetToken, holdToken } from '../shared/credentials.ts';
import type { Session } from './session.ts';

/** The part of the identity provider's script that is used: https://clerk.com/docs/reference/javascript/overview */
interface Clerk {
  load(): Promise<void>;
  readonly session?: { getToken(): Promise<string | null> } | null;
  readonly user?: { readonly primaryEmailAddress?: { readonly emailAddress: string } | null } | null;
  redirectToSignIn(options: { redirectUrl: string }): Promise<unknown>;
  /** Calls back in place of leading to another page. */
  signOut(done: () => void): Promise<void>;
}

declare global {
  interface Window {
    Clerk?: Clerk;
  }
}

const SCRIPT = '/npm/@clerk/clerk-js@5/dist/clerk.headless.browser.js';

export interface Provider {
  /** Somebody who has signed in. */
  session(): Session | undefined;
  /** Leads to the identity provider's own page, and back. */
  signIn(): void;
}

/**
 * Loads the identity provider's script.
 * @throws Error where it can't be had
 */
export async function openProvider(publishableKey: string, host: string): Promise<Provider> {
  await loadScript(`https://${host}${SCRIPT}`, publishableKey);
  const clerk = window.Clerk;
  if (!clerk) throw new Error('The identity provider’s script did not start.');
  await clerk.load();
  return {
    session: () => (clerk.session ? sessionOf(clerk) : undefined),
    signIn: () => void clerk.redirectToSignIn({ redirectUrl: location.origin + location.pathname }),
  };
}

function sessionOf(clerk: Clerk): Session {
  let over = false;
  return {
    who: clerk.user?.primaryEmailAddress?.emailAddress ?? 'Signed in',
    token: async () => {
      const token = await clerk.session?.getToken();
      if (!token || over) throw new Error('The session is over. Sign in again.');
      // For the map and the reference, which are other pages of this tab.
      holdToken(token);
      return token;
    },
    end: async () => {
      // What was asked for before must not be held after.
      over = true;
      forgetToken();
      await clerk.signOut(() => {});
    },
  };
}

function loadScript(address: string, publishableKey: string): Promise<void> {
  const script = document.createElement('script');
  script.src = address;
  script.async = true;
  script.crossOrigin = 'anonymous';
  script.dataset.clerkPublishableKey = publishableKey;
  const loaded = new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error('The identity provider’s script can’t be loaded.')));
  });
  document.head.append(script);
  return loaded;
}
