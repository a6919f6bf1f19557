import { readFileSync } from 'node:fs';
import packageFile from '../package.json' with { type: 'json' };
import { isPrivate, type PsgcOptions } from '../src/options.ts';
import { Psgc } from '../src/psgc.ts';
import { Transport } from '../src/transport.ts';
import type { CommandName } from './help.ts';
import type { Options } from './options.ts';
import { UsageError } from './usage-error.ts';
import { plain } from './words.ts';

const { version } = packageFile;

/** Timeouts until a response begins, milliseconds. For a table that is after a part of it was sent, from a slow pipe. */
const TIMEOUT_MS = { usual: 30_000, match: 300_000 };

/** Max retries after transient errors; few, because a person is waiting. */
const RETRIES = 2;

/** The source of a command's answers: a service or a snapshot. */
export interface Service {
  readonly psgc: Psgc;
  /** For responses that are passed on unchanged. */
  readonly transport: Transport;
  /** Rows per minute allowed by the key's limits; undefined until a response states them. */
  readonly rowsPerMinute: () => number | undefined;
}

/** Rows that count as one request. */
const ROWS_PER_REQUEST = 100;

/**
 * Opens the service or snapshot for a command, by its options and the environment.
 *
 * @throws UsageError
 */
export async function openService(command: CommandName, options: Options): Promise<Service> {
  const reached = options.offline === undefined ? reachedBy(options) : await offline(command, options, options.offline);
  const timeout = command === 'match' ? TIMEOUT_MS.match : TIMEOUT_MS.usual;
  const { fetch: send = fetch } = reached;
  let policies = '';
  const watched = async (...given: Parameters<typeof fetch>) => {
    const response = await send(...given);
    policies = response.headers.get('RateLimit-Policy') ?? policies;
    return response;
  };
  const settings: PsgcOptions = { timeout, retries: RETRIES, edition: options.edition, ...reached, fetch: watched };
  const rowsPerMinute = () => {
    const limits = [...policies.matchAll(/;\s*q=(\d+)\s*;\s*w=60\b/g)].map(([, requests]) => Number(requests));
    return limits.length === 0 ? undefined : ROWS_PER_REQUEST * Math.min(...limits);
  };
  return { psgc: new Psgc(settings), transport: new Transport(settings), rowsPerMinute };
}

function reachedBy(options: Options): PsgcOptions {
  const url = options.url ?? process.env.PSGC_URL;
  if (!url) throw new UsageError('Which service? Say it with --url URL or in PSGC_URL, such as https://geo.example.');
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.username || parsed?.password) {
    throw new UsageError('The address of the service must have no user and no password: PSGC_TOKEN has the key.');
  }
  if (!parsed || !/^https?:\/\//i.test(url) || /[?#]/.test(url)) {
    throw new UsageError(`The address of the service must be like https://geo.example (got "${url}").`);
  }
  const key = keyOf(options);
  if (key && !isPrivate(parsed)) {
    throw new UsageError(
      `The API key is not sent to ${parsed.origin}: others on the way could read it. Use https://, or give no key.`,
    );
  }
  return { baseUrl: url, ...(key && { key }) };
}

/** The key from a file or the environment. Not from the command line, which other users can see. */
function keyOf(options: Options): string | undefined {
  const file = options['key-file'];
  const key = (file === undefined ? (process.env.PSGC_TOKEN ?? '') : readFileSync(file, 'utf8')).trim();
  // Anything else is not a valid header.
  if (/^[\x21-\x7e]*$/.test(key)) return key || undefined;
  throw new UsageError(`${file ?? 'PSGC_TOKEN'} has no API key: it must be one word of ASCII.`);
}

async function offline(
  command: CommandName,
  { edition, quiet, ...options }: Options,
  named: string,
): Promise<PsgcOptions> {
  const online = (['url', 'key-file'] as const).find((name) => options[name] !== undefined);
  if (online) throw new UsageError(`--${online} and --offline do not go together: a snapshot is no service.`);
  // Code for offline use is loaded on demand.
  const [{ answerFrom }, { readSnapshot, titleOf, usualFolder }] = await Promise.all([
    import('./offline.ts'),
    import('./snapshot.ts'),
  ]);
  const { opened, service } = await readSnapshot(named || usualFolder(), edition);
  if (!quiet) console.error(`psgc ${command}: offline, from ${titleOf(opened)}.`);
  // Results equal the service's if both have the same version.
  if (service !== undefined && service !== version) {
    console.error(
      `psgc ${command}: the snapshot is of a service of version ${plain(service)}, and this is psgc ${version}: answers may differ.`,
    );
  }
  // A snapshot has no rate limit, so batches have the max size.
  return { baseUrl: 'https://snapshot.invalid', key: 'none', retries: 0, fetch: answerFrom(opened) };
}
