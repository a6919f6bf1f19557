import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { S3Account } from '../../scripts/backup/s3.ts';
import { findFreePort } from '../../scripts/dev/port.ts';
import { eventually } from './eventually.ts';

const GO_TOOLS = process.env.CLIENTS_GO ?? fileURLToPath(new URL('../../.cache/clients-go', import.meta.url));

/** A server of S3 over files: https://github.com/versity/versitygw. */
export interface S3Server {
  account: S3Account;
  /** The directory with a directory for each bucket, in which each object is a file. */
  buckets: string;
  stop(): Promise<void>;
}

/** Starts one with empty buckets, which are in a directory. */
export async function startS3Server(directory: string, buckets: readonly string[]): Promise<S3Server> {
  for (const bucket of buckets) await mkdir(join(directory, 'buckets', bucket), { recursive: true });
  await mkdir(join(directory, 'beside'));
  const port = await findFreePort();
  const account = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    accessKeyId: 'tester',
    secretAccessKey: 'secret-of-the-tester',
  };
  const login = ['--access', account.accessKeyId, '--secret', account.secretAccessKey];
  const posix = ['posix', '--sidecar', join(directory, 'beside'), join(directory, 'buckets')];
  const server = spawn(join(GO_TOOLS, 'versitygw'), ['--port', `127.0.0.1:${port}`, ...login, '--quiet', ...posix], {
    stdio: 'ignore',
  });
  await once(server, 'spawn');
  await eventually(() => fetch(account.endpoint));
  return {
    account,
    buckets: join(directory, 'buckets'),
    stop: async () => {
      if (server.kill()) await once(server, 'exit');
    },
  };
}
