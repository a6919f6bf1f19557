import type { PGlite } from '@electric-sql/pglite';

const SYNC = Uint8Array.of(0x53, 0, 0, 0, 4);
const ROLLBACK = Uint8Array.from([0x51, 0, 0, 0, 13, ...new TextEncoder().encode('ROLLBACK\0')]);

/** Parse, Bind, Describe, Execute, Close and Flush: messages after which the client still owes a Sync. */
const AWAITS_SYNC = new Set(Array.from('PBDECH', (letter) => letter.charCodeAt(0)));
const READY_FOR_QUERY = Uint8Array.of(0x5a, 0, 0, 0, 5);
const READY_FOR_QUERY_LENGTH = 6;

/**
 * PGlite as pglite-socket should see it, so that several clients can share its one session.
 *
 * - pglite-socket queues single messages, and stays with one client only while a transaction is open: the Parse of
 *   one could be followed by the Bind of another, which then runs the wrong statement. Here a sequence counts as a
 *   transaction until its Sync (https://github.com/electric-sql/pglite/issues/1046).
 * - PGlite follows every error with ReadyForQuery, also where the client's Sync is still to come and answers with a
 *   second one; the client then takes each answer for that of the next query
 *   (https://github.com/electric-sql/pglite/issues/958).
 * - An exception would leave pglite-socket's queue stuck for ever. It ends the thread instead.
 */
export function oneConversationAtATime(db: PGlite): PGlite {
  let awaitsSync = false;
  const send = (message: Uint8Array) => db.execProtocolRawStream(message, { onRawData: () => {} });

  const overrides: Partial<PGlite> = {
    // A connection may still be on its way out when the database has closed.
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
    // pglite-socket calls this for one purpose: to roll back what a vanished client left open.
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
 * Passes a message's output on, less a ReadyForQuery at its very end. No other message ends in these bytes: errors
 * and command tags end in text, row descriptions in a format code of 0 or 1.
 */
function withoutReadyForQuery(onData: (data: Uint8Array) => void) {
  let held: Uint8Array = new Uint8Array(0);
  return {
    write: (data: Uint8Array) => {
      const all = Buffer.concat([held, data]);
      const passed = Math.max(0, all.length - READY_FOR_QUERY_LENGTH);
      held = all.subarray(passed);
      if (passed > 0) onData(all.subarray(0, passed));
    },
    end: () => {
      const isReady = held.length === READY_FOR_QUERY_LENGTH && READY_FOR_QUERY.every((byte, i) => held[i] === byte);
      if (!isReady && held.length > 0) onData(held);
    },
  };
}
