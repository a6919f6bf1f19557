// The token lives as long as the tab. It is never put into an address, a cookie, or storage that other tabs can read.

const NAME = 'token';

/** The bearer token of this tab. */
export function currentToken(): string | undefined {
  return sessionStorage.getItem(NAME) ?? undefined;
}

export function storeToken(token: string): void {
  sessionStorage.setItem(NAME, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(NAME);
}
