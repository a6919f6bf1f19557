import { currentToken, setTokenRenewal } from '../shared/credentials.ts';
import { openProvider } from '../shared/identity-provider.ts';
import { readSignInMethod } from '../shared/session.ts';

/** How API keys begin. They need no renewal. */
const KEY = 'svc_';

/**
 * Keeps the session of this tab while a list is worked on, which takes longer than a token of the identity provider is
 * valid. Only the provider's script can renew it.
 */
export async function keepSession(): Promise<void> {
  const token = currentToken();
  if (token === undefined || token.startsWith(KEY)) return;
  const method = await readSignInMethod();
  if (method.way !== 'provider') return;
  const session = (await openProvider(method.publishable_key, method.host)).session();
  if (session && currentToken() === token) setTokenRenewal(() => session.token());
}
