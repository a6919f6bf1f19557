// The token lives as long as the tab. It is never put into an address, a cookie, or storage that other tabs can read.

const NAME = 'token';

/** The bearer token of this tab. */
export function currentToken(): string | undefined {
  return sessionStorage.getItem(NAME) ?? undefined;
}

let renewal: (() => Promise<unknown>) | undefined;

/** Calls a function before each request with the token of this tab, which it may replace; without it the token stays. */
export function renewTokenWith(renew: (() => Promise<unknown>) | undefined): void {
  renewal = renew;
}

/** The bearer token of this tab, renewed. Where it can't be, it is the service that says what is wrong with the old one. */
export async function freshToken(): Promise<string | undefined> {
  await renewal?.().catch(() => undefined);
  return currentToken();
}

export function storeToken(token: string): void {
  sessionStorage.setItem(NAME, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(NAME);
}
