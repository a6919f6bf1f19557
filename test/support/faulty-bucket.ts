import { like } from './snapshot.ts';

/** How late each answer of a slow bucket is, milliseconds. */
const LATE_MS = 1500;

type Method = (...given: never[]) => Promise<unknown>;
type Behaviour = (ask: () => Promise<unknown>) => Promise<unknown>;

const READS = ['get', 'head', 'list'] as const;
const WRITES = ['put', 'delete', 'createMultipartUpload'] as const;

const refuse: Behaviour = async () => {
  throw new Error('put: We encountered an internal error. Please try again. (10001)');
};

/** Gives the object whose body is another one. */
function withBody(change: (bytes: Uint8Array) => ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>): Behaviour {
  return async (ask) => {
    const object = (await ask()) as R2ObjectBody | null;
    if (!object?.body) return object;
    const bytes = new Uint8Array(await object.arrayBuffer());
    const { body } = new Response(change(bytes));
    const { key, size, etag } = object;
    return { key, size, etag, body, arrayBuffer: () => new Response(body).arrayBuffer() };
  };
}

/** The first half of some bytes, and then something else. */
export function half(bytes: Uint8Array, then: (controller: ReadableByteStreamController) => unknown) {
  let isSent = false;
  return new ReadableStream({
    // As those of the real bucket are.
    type: 'bytes',
    pull: (controller) => {
      if (isSent) return then(controller) as Promise<void>;
      isSent = true;
      controller.enqueue(bytes.slice(0, bytes.length / 2));
    },
  });
}

const never = () => new Promise<never>(() => undefined);

/** What a bucket can do, by its methods. The others work. */
const FAULTS: Record<string, Partial<Record<(typeof READS | typeof WRITES)[number], Behaviour>>> = {
  refuses: all(refuse),
  hangs: all(never),
  'is late': all(async (ask) => {
    await scheduler.wait(LATE_MS);
    return ask();
  }),
  'breaks off': {
    ...all(refuse),
    get: withBody((bytes) => half(bytes, (body) => body.error(new Error('Network connection lost.')))),
  },
  'ends early': { get: withBody((bytes) => bytes.slice(0, bytes.length / 2)) },
  'stands still': { ...all(never), get: withBody((bytes) => half(bytes, never)) },
  'has other bytes': { get: withBody((bytes) => new Uint8Array(bytes.length).fill(0x58)) },
  'lost everything': { get: async () => null, head: async () => null },
  'is read-only': { put: refuse, delete: refuse, createMultipartUpload: refuse },
};

function all(behaviour: Behaviour) {
  return Object.fromEntries([...READS, ...WRITES].map((method) => [method, behaviour]));
}

export const BUCKET_FAULTS = Object.keys(FAULTS);

/** A bucket like another that fails in the way that a name says. */
export function faultyBucket(bucket: R2Bucket, fault: string): R2Bucket {
  const methods = Object.entries(FAULTS[fault] ?? {}).map(([name, behaviour]) => {
    const real = (bucket[name as keyof R2Bucket] as unknown as Method).bind(bucket);
    return [name, (...given: never[]) => behaviour(() => real(...given))];
  });
  return like(bucket, Object.fromEntries(methods));
}
