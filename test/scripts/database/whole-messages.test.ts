import { expect, it } from 'vitest';
import { takeWholeMessages } from '../../../scripts/database/whole-messages.ts';

/** A message of the protocol: a letter, its length without that, and a body. */
function message(letter: string, body: number): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(4 + body, 1);
  return Buffer.concat([head, Buffer.alloc(body, letter)]);
}

/** What pglite-socket does with data: it keeps the beginning of a message until the rest comes. */
class Connection {
  messageBuffer: Buffer = Buffer.alloc(0);
  readonly taken: string[] = [];
  copied = 0;

  async handleData(data: Buffer): Promise<number> {
    this.messageBuffer = Buffer.concat([this.messageBuffer, data]);
    this.copied += this.messageBuffer.length;
    for (;;) {
      const isStart = this.messageBuffer[0] === 0;
      if (this.messageBuffer.length < 5) return 0;
      const length = isStart ? this.messageBuffer.readInt32BE(0) : 1 + this.messageBuffer.readInt32BE(1);
      if (this.messageBuffer.length < length) return 0;
      this.taken.push(`${isStart ? 'start' : String.fromCharCode(this.messageBuffer[0] as number)} ${length}`);
      this.messageBuffer = this.messageBuffer.subarray(length);
    }
  }
}

it('a message that comes in many parts is copied a few times, and none is lost or held back', async () => {
  class Mended extends Connection {}
  takeWholeMessages(Mended.prototype);
  const start = Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0]);
  const messages = [message('P', 100), message('B', 1_000_000), message('S', 0), message('Q', 70_000), message('X', 0)];
  const all = Buffer.concat([start, ...messages]);
  for (const size of [1, 3, 7, 64, 65_536, all.length]) {
    const [plain, mended] = [new Connection(), new Mended()];
    // In small parts, the plain one would copy for minutes.
    const upTo = size < 65_536 ? 1000 : all.length;
    for (let at = 0; at < upTo; at += size) {
      await plain.handleData(all.subarray(at, Math.min(at + size, upTo)));
      await mended.handleData(all.subarray(at, Math.min(at + size, upTo)));
    }
    expect([size, mended.taken]).toEqual([size, plain.taken]);
    expect(plain.taken.length).toBe(upTo === all.length ? 6 : 2);
    expect(mended.copied).toBeLessThan(4 * all.length);
  }
});

it('what is left of two connections at once is kept apart', async () => {
  class Mended extends Connection {}
  takeWholeMessages(Mended.prototype);
  const [one, other] = [new Mended(), new Mended()];
  const long = message('B', 1000);
  for (let at = 0; at < long.length; at += 100) {
    await one.handleData(long.subarray(at, at + 100));
    await other.handleData(message('S', at));
  }
  expect(one.taken).toEqual(['B 1005']);
  expect(other.taken).toHaveLength(11);
});
