import { env } from 'cloudflare:workers';
import { connect } from '../../src/db/client.ts';

/** The database that the tested Worker uses, for what no request can bring about. */
export const database = connect((env as { DATABASE_URL?: string }).DATABASE_URL ?? '');
