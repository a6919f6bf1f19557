import { neon, neonConfig, types } from '@neondatabase/serverless';

// Neon's driver with its settings, which are of the whole instance.

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

// A loopback host is the local endpoint that speaks Neon's protocol over plain HTTP. Any other host is Neon's own: its
// address for SQL over HTTP is that of the database with another first label.
neonConfig.fetchEndpoint = (host: string, port: number | string) =>
  LOOPBACK.has(host) ? `http://${host}:${port}/sql` : `https://${host.replace(/^[^.]+\./, 'api.')}/sql`;
// The driver would keep the `fetch` of its first statement.
neonConfig.fetchFunction = (url: string, init: RequestInit) => fetch(url, init);

for (const name of ['DATE', 'INTERVAL', 'TIMESTAMP', 'TIMESTAMPTZ']) {
  types.setTypeParser(types.builtins[name] as number, (text: string) => text);
}

/** @param fetchOptions of each request; read anew for every statement */
export function neonClient(databaseUrl: string, fetchOptions: RequestInit) {
  return neon(databaseUrl, { fetchOptions, fullResults: true });
}
