import { forgetToken, storeToken } from './credentials.ts';
import type { Session } from './session.ts';

/** The part of the identity provider's script that is used: https://clerk.com/docs/reference/javascript/overview */
interface Clerk {
  load(): Promise<void>;
  readonly session?: { getToken(): Promise<string | null> } | null;
  readonly user?: { readonly primaryEmailAddress?: { readonly emailAddress: string } | null } | null;
  redirectToSignIn(options: { redirectUrl: string }): Promise<unknown>;
  /** @param done called instead of opening another page */
  signOut(done: () => void): Promise<void>;
}

declare global {
  interface Window {
    Clerk?: Clerk;
  }
}

const SCRIPT = '/npm/@clerk/clerk-js@5/dist/clerk.headless.browser.js';

export interface IdentityProvider {
  /** The session of the person who is signed in at the provider. */
  session(): Session | undefined;
  /** Opens the sign-in page of the provider, which leads back here. */
  signIn(): void;
}

/**
 * Loads the identity provider's script.
 *
 * @param host of the provider's Frontend API, without scheme
 * @throws Error if it can't be loaded or does not start
 */
export async function openProvider(publishableKey: string, host: string): Promise<IdentityProvider> {
  await loadScript(`https://${host}${SCRIPT}`, publishableKey);
  const clerk = window.Clerk;
  if (!clerk) throw new Error('The identity provider’s script did not start.');
  await clerk.load();
  return {
    session: () => (clerk.session ? sessionOf(clerk) : undefined),
    signIn: () => void clerk.redirectToSignIn({ redirectUrl: location.origin + location.pathname + location.hash }),
  };
}

function sessionOf(clerk: Clerk): Session {
  let ended = false;
  return {
    displayName: clerk.user?.primaryEmailAddress?.emailAddress ?? 'Signed in',
    token: async () => {
      const token = await clerk.session?.getToken();
      if (!token || ended) throw new Error('The session is over. Sign in again.');
      // The map and the reference are other pages of this tab and use its token.
      storeToken(token);
      return token;
    },
    end: async () => {
      // A token that was requested before this moment must not be stored after it.
      ended = true;
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
