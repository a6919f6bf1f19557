/**
 * @throws Error that names `DATABASE_URL` unless it is a connection string of Postgres; its value, which has a
 * password in it, is not repeated
 */
export function requirePostgresUrl(url: string): void {
  const parsed = URL.parse(url);
  if (parsed && ['postgres:', 'postgresql:'].includes(parsed.protocol) && parsed.hostname) return;
  throw new Error('DATABASE_URL must be a connection string such as postgres://user:password@host:5432/database.');
}
