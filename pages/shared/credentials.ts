// The token lives as long as the tab: never in an address, in a cookie or in storage that other tabs see.

const NAME = 'token';

/** The bearer token that was entered in this tab. */
export function heldToken(): string | undefined {
  return sessionStorage.getItem(NAME) ?? undefined;
}

export function holdToken(token: string): void {
  sessionStorage.setItem(NAME, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(NAME);
}
