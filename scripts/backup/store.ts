import type { Readable } from 'node:stream';

/** An object as a listing has it. */
export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** What changes with its bytes, without quotes; empty where the store has none. */
  readonly etag: string;
}

/** An object that is being read. */
interface OpenObject {
  readonly body: Readable;
  readonly etag: string;
  readonly contentType: string | undefined;
}

/** A file on disk that becomes an object. */
export interface FileToPut {
  readonly path: string;
  readonly bytes: number;
  /** 64 hex digits. Stores that can refuse other bytes. */
  readonly sha256: string;
  readonly contentType?: string | undefined;
}

/** A place for objects: the bucket of a service, or where backups are kept. An object is there whole or not at all. */
export interface Store {
  /** For people. */
  readonly name: string;
  /** Objects whose keys begin with a prefix, in any order. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** Undefined where there is no such object. */
  get(key: string): Promise<OpenObject | undefined>;
  put(key: string, file: FileToPut): Promise<void>;
  /** Stores a text where nothing has its key. Returns whether it did. */
  create(key: string, text: string): Promise<boolean>;
  /** Deletes what is there of these. */
  delete(keys: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** The first object with a prefix. */
export async function firstOf(store: Store, prefix = ''): Promise<ListedObject | undefined> {
  for await (const object of store.list(prefix)) return object;
  return undefined;
}
