import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Miniflare, NoOpLog } from 'miniflare';
import type { S3Location } from '../../src/own-server/s3.ts';
import { manifestOf } from '../command/worker-modules.ts';
import type { Build } from './build.ts';

export interface RuntimeOptions {
  /** The repository. */
  readonly root: string;
  readonly build: Build;
  /** Directory of the counters, and of the bucket where it is on disk. */
  readonly state: string;
  /** The settings of the Worker. */
  readonly vars: Readonly<Record<string, string>>;
  /** The bucket, where it is in an S3. */
  readonly s3: S3Location | undefined;
  /** Gets each line that the Worker logs. */
  onLine(line: string): void;
}

export interface Runtime {
  /** Origin of the Worker; undefined while the runtime starts again after it has ended by itself. */
  worker(): URL | undefined;
  /** Runs the jobs of src/scheduled.ts. */
  runJobs(): Promise<void>;
  /** Waits until the Worker has done what it does after its answers. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 50;

/**
 * The way to addresses that users have given. workerd looks at what a name leads to when it connects, and connects to public addresses
 * only. So nobody reaches an internal network, also not by a name that leads somewhere else a moment later.
 */
export const PUBLIC_NETWORK = {
  type: 'network' as const,
  allow: ['public'],
  tlsOptions: { trustBrowserCas: true },
};

/** The signals that end the process. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Starts workerd with the Worker, on ports of 127.0.0.1 that nobody else is told. */
export async function startRuntime({ root, build, state, vars, s3, onLine }: RuntimeOptions): Promise<Runtime> {
  const { name, modules, compatibilityDate, bucket, assets } = build;
  const texts = Object.entries(vars).map(([variable, value]) => [variable, { type: 'json' as const, value }]);
  let addresses: { worker: URL; work: URL } | undefined;
  const listeners = SIGNALS.map((signal) => process.listeners(signal));
  const miniflare: Miniflare = new Miniflare({
    log: new NoOpLog(),
    logRequests: false,
    enableDevRegistry: false,
    handleStructuredLogs: ({ message }) => onLine(message),
    resourcePersistencePath: join(state, 'v3'),
    unsafeHandleRuntimeRestart: async () => {
      addresses = await find();
    },
    workers: [
      {
        config: {
          name,
          compatibilityDate,
          assets: { ...assets, directory: join(root, assets.directory), hasUserWorker: true },
          env: {
            ...(s3
              ? { S3: { type: 'json', value: JSON.parse(JSON.stringify(s3)) } }
              : { FILES: { type: 'r2', name: bucket } }),
            METER: { type: 'durable-object', worker: name, exportName: 'Meter' },
            ASSETS: { type: 'assets' },
            OUTBOUND: PUBLIC_NETWORK,
            ...Object.fromEntries(texts),
          },
          exports: { Meter: { type: 'durable-object', storage: 'sqlite' } },
          manifest: manifestOf(modules),
        },
        dev: {
          // Its copies would never be deleted.
          cacheAPI: false,
          // Its own socket leads through a Worker for development first. A request names its whole address, with https.
          unsafeDirectSockets: [
            { host: '127.0.0.1', proxy: true },
            { host: '127.0.0.1', entrypoint: 'Work' },
          ],
        },
      },
    ],
  });
  const find = async () => ({
    worker: await miniflare.unsafeGetDirectURL(name),
    work: await miniflare.unsafeGetDirectURL(name, 'Work'),
  });
  // Miniflare would end the process at once, and not when all requests are answered.
  SIGNALS.forEach((signal, i) => {
    for (const listener of process.listeners(signal)) {
      if (!listeners[i]?.includes(listener)) process.removeListener(signal, listener);
    }
  });
  addresses = await find();

  const ask = async (method: string) => {
    const response = await fetch((addresses ?? (await find())).work, { method });
    return ((await response.json()) as { pending: number }).pending;
  };
  return {
    worker: () => addresses?.worker,
    runJobs: async () => {
      await ask('POST');
    },
    idle: async () => {
      while ((await ask('GET')) > 0) await sleep(POLL_MS);
    },
    stop: () => miniflare.dispose(),
  };
}
