import { CONNECT_TIMEOUT_MS } from './client.ts';

/** Faults of the host in DATABASE_URL, by error code of Node or Postgres. */
const UNREACHABLE: Record<string, string> = {
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'nothing accepts connections there',
  ECONNRESET: 'it closes the connection',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it does not answer',
  '28000': 'it does not let this user in',
  '28P01': 'it does not accept this user and password',
  '3D000': 'it has no database of that name',
  '57P03': 'it is starting or stopping; try again in a moment',
  '53300': 'it has no connection left',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is of another host',
  ...Object.fromEntries(
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ].map((code) => [
      code,
      'its certificate is of an unknown authority; end the address with ' +
        '?sslmode=verify-full&sslrootcert=/path/to/ca.pem, which is the certificate of the authority',
    ]),
  ),
};

/** The same by message of pg, whose errors for a silent or lost server have no code. */
const WITHOUT_CODE: Record<string, string> = {
  'timeout expired': `it did not answer within ${CONNECT_TIMEOUT_MS / 1000} seconds`,
  'Connection terminated unexpectedly': 'the connection was lost',
  'The server does not support SSL connections': 'it has no TLS, which sslmode asks for',
};

/**
 * Describes an error to people in one sentence. For a database that can't be reached, the sentence names its host, but
 * never the password in `DATABASE_URL`.
 */
export function sentenceOf(error: unknown): string {
  // Drizzle wraps the error of Postgres in one whose message is the statement.
  if (error instanceof Error && error.message.startsWith('Failed query') && error.cause) return sentenceOf(error.cause);
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException;
  if (process.env.DATABASE_URL && reasonOf(error)) return unreachable(error);
  if (code === '42P01') return 'The database has no releases, not even tables for them: npm run geo:load makes both.';
  if (error instanceof AggregateError) return error.errors.map(sentenceOf).join('; ');
  return message;
}

/** The sentence for an error of any kind that the database in `DATABASE_URL` met at its first connection. */
export function unreachable(error: unknown): string {
  const { host = '', password = '' } = URL.parse(process.env.DATABASE_URL ?? '') ?? {};
  const { message } = error as Error;
  const reason = reasonOf(error) ?? (password === '' ? message : message.replaceAll(password, '…'));
  return `The database at ${host} (DATABASE_URL) can't be used: ${reason}.`;
}

function reasonOf(error: unknown): string | undefined {
  const { code = '', message = '' } = error as NodeJS.ErrnoException;
  return UNREACHABLE[code] ?? WITHOUT_CODE[message];
}
