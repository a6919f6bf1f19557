import { PGLiteSocketHandler } from '@electric-sql/pglite-socket';

/** The used parts of a connection of pglite-socket, which are private. */
interface Connection {
  /** The beginning of a message whose rest has not come yet. */
  messageBuffer: Buffer;
  handleData(data: Buffer): Promise<number>;
}

/** Bytes of the type and the length with which a message begins. */
const HEAD = 5;

/** The type of a message is a letter; a connection begins with something that has none. */
const FIRST_LETTER = 0x41;

/**
 * Mends pglite-socket 0.2.11, which copies what it has of a message whenever more of it comes, 64 kB at a time: a statement of
 * four megabytes was copied seventy times, which took longer than its execution. Here the parts of a long message are put
 * together once.
 *
 * @param connection the prototype of connections
 */
export function takeWholeMessages(connection = PGLiteSocketHandler.prototype as unknown as Connection): void {
  const { handleData } = connection;
  const begun = new WeakMap<Connection, { parts: Buffer[]; missing: number }>();
  connection.handleData = async function (this: Connection, data) {
    const message = begun.get(this) ?? { parts: [], missing: missingOf(this.messageBuffer, data) };
    message.parts.push(data);
    message.missing -= data.length;
    if (message.missing > 0) {
      begun.set(this, message);
      return 0;
    }
    begun.delete(this);
    return handleData.call(this, message.parts.length === 1 ? data : Buffer.concat(message.parts));
  };
}

/** How many bytes are missing of the message that a connection has the beginning of; zero if that is not known. */
function missingOf(before: Buffer, data: Buffer): number {
  const head = Buffer.concat([before.subarray(0, HEAD), data.subarray(0, HEAD)]);
  if (head.length < HEAD || (head[0] as number) < FIRST_LETTER) return 0;
  return 1 + head.readInt32BE(1) - before.length;
}
