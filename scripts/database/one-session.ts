import type { PGlite } from '@electric-sql/pglite';

const SYNC = Uint8Array.of(0x53, 0, 0, 0, 4);
const ROLLBACK = Uint8Array.from([0x51, 0, 0, 0, 13, ...new TextEncoder().encode('ROLLBACK\0')]);

/** Parse, Bind, Describe, Execute, Close and Flush: messages after which the client must still send a Sync. */
const AWAITS_SYNC = new Set(Array.from('PBDECH', (letter) => letter.charCodeAt(0)));
const READY_FOR_QUERY = Uint8Array.of(0x5a, 0, 0, 0, 5);
const READY_FOR_QUERY_LENGTH = 6;

/**
 * Wraps PGlite for pglite-socket, so that several clients can share its one session.
 *
 * - pglite-socket queues single messages, and stays with one client only while a transaction is open. So the Bind of
 *   one client could follow the Parse of another one and run the wrong statement. Here a sequence of messages counts as
 *   a transaction until its Sync (https://github.com/electric-sql/pglite/issues/1046).
 * - PGlite sends ReadyForQuery after every error, although the client has not yet sent its Sync, which gets a second
 *   one. The client would then take each answer as that of the next query
 *   (https://github.com/electric-sql/pglite/issues/958).
 * - An exception would block the queue of pglite-socket for ever. Here it ends the thread instead.
 */
export function shareOneSession(db: PGlite): PGlite {
  let awaitsSync = false;
  const send = (message: Uint8Array) => db.execProtocolRawStream(message, { onRawData: () => {} });

  const overrides: Partial<PGlite> = {
    // pglite-socket may still ask for a connection that ends after the database was closed.
    isInTransaction: () => !db.closed && (awaitsSync || db.isInTransaction()),
    execProtocolRawStream: async (message, options) => {
      const type = message[0] ?? 0;
      if (type === SYNC[0]) awaitsSync = false;
      if (AWAITS_SYNC.has(type)) awaitsSync = true;
      const output = awaitsSync ? withoutReadyForQuery(options.onRawData) : undefined;
      try {
        await db.execProtocolRawStream(message, { ...options, onRawData: output?.write ?? options.onRawData });
        output?.end();
      } catch (error) {
        setImmediate(() => {
          throw error;
        });
      }
    },
    // pglite-socket calls this only to roll back the open transaction of a client that disconnected.
    exec: async () => {
      await db.runExclusive(async () => {
        if (awaitsSync) await send(SYNC);
        awaitsSync = false;
        if (db.isInTransaction()) await send(ROLLBACK);
      });
      return [];
    },
  };
  return new Proxy(db, {
    get: (target, name) => {
      const value = overrides[name as keyof PGlite] ?? Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * Forwards the output of a message without a ReadyForQuery at its end. No other message ends with these bytes: errors
 * and command tags end with text, row descriptions with a format code of 0 or 1.
 */
function withoutReadyForQuery(onData: (data: Uint8Array) => void) {
  let pending: Uint8Array = new Uint8Array(0);
  return {
    write: (data: Uint8Array) => {
      const all = Buffer.concat([pending, data]);
      const passed = Math.max(0, all.length - READY_FOR_QUERY_LENGTH);
      pending = all.subarray(passed);
      if (passed > 0) onData(all.subarray(0, passed));
    },
    end: () => {
      const isReady =
        pending.length === READY_FOR_QUERY_LENGTH && READY_FOR_QUERY.every((byte, i) => pending[i] === byte);
      if (!isReady && pending.length > 0) onData(pending);
    },
  };
}
