import { resolve } from 'node:path';
import { editionId } from '../../../../src/areas/edition-id.ts';
import { PsgcError } from '../../src/errors.ts';
import { standardOutput } from '../output.ts';
import { openService } from '../service.ts';
import {
  digestOf,
  findSnapshot,
  openSnapshot,
  snapshotFile,
  storeOrigin,
  storeSnapshot,
  titleOf,
  usualFolder,
} from '../snapshot.ts';
import { UsageError } from '../usage-error.ts';
import type { Found, Invocation } from './command.ts';

/** Downloads the snapshot for `--offline`. */
export async function download({ words, options }: Invocation): Promise<Found> {
  if (words.length > 1) throw new UsageError('Download it where? Give one folder, or none for the usual one.');
  const folder = words[0] === undefined ? usualFolder() : resolve(words[0]);
  const { psgc, transport } = await openService('download', options);
  const response = await psgc.downloads.snapshot();
  const digest = response.headers.get('Repr-Digest');
  const stored = await findSnapshot(folder);
  const isStored = stored !== undefined && digestOf(stored) === digest;
  // A snapshot that is already stored is not downloaded again.
  if (isStored) await response.body?.cancel();
  const bytes = isStored ? stored : await bodyOf(response, digest);
  const opened = readable(bytes);
  const { version } = await transport.json<{ version: string }>({ path: '/v1/version' });
  if (!isStored) await storeSnapshot(folder, bytes);
  await storeOrigin(folder, bytes, version);
  const file = snapshotFile(folder);
  if (options.json) {
    const { release, edition } = opened.facts;
    const data = {
      edition: editionId(edition),
      release,
      areas: opened.size,
      size_bytes: bytes.length,
      file,
      is_new: !isStored,
    };
    await standardOutput.write(`${JSON.stringify({ data, error: null })}\n`);
  } else await standardOutput.write(`${titleOf(opened)} ${isStored ? 'was already' : 'is'} in ${file}\n`);
  return true;
}

/** @throws PsgcError if the bytes don't match the service's digest */
async function bodyOf(response: Response, digest: string | null): Promise<Uint8Array> {
  const failed = (message: string, cause?: unknown) => {
    return new PsgcError({
      code: 'broken_answer',
      message: `${message} Nothing was stored.`,
      status: response.status,
      cause,
    });
  };
  const body = await response.arrayBuffer().catch((cause: unknown) => {
    throw failed('The snapshot broke off.', cause);
  });
  const bytes = new Uint8Array(body);
  if (digestOf(bytes) === digest) return bytes;
  throw failed(`The snapshot has other bytes than its digest says (${digestOf(bytes)}, not ${digest}).`);
}

function readable(bytes: Uint8Array) {
  try {
    return openSnapshot(bytes);
  } catch (cause) {
    const message = 'This version can not read the snapshot of the service: install the newest psgc-client.';
    throw new PsgcError({ code: 'unexpected_answer', message, cause });
  }
}
