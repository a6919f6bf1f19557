/**
 * Checks that the value of `DATABASE_URL` is a connection string of Postgres.
 * @throws Error that doesn't repeat the value, because it contains a password
 */
export function requirePostgresUrl(url: string): void {
  const parsed = URL.parse(url);
  if (parsed && ['postgres:', 'postgresql:'].includes(parsed.protocol) && parsed.hostname && isDecodable(parsed))
    return;
  throw new Error('DATABASE_URL must be a connection string such as postgres://user:password@host:5432/database.');
}

/** Whether the percent signs of user, password and database are those of encoded characters. */
function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    return decodeURIComponent(`${username} ${password} ${pathname}`) !== '';
  } catch {
    return false;
  }
}
