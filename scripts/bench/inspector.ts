import { setTimeout } from 'node:timers/promises';

/** Self time of a function in a profile. */
export interface SelfTime {
  /** Its name and line. */
  where: string;
  /** Share of the isolate's busy time, 0 to 1. */
  share: number;
}

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/** Client of a Worker's debugger (https://chromedevtools.github.io/devtools-protocol/v8/). */
export class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, result, error } = JSON.parse(String(data));
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(result);
    });
  }

  /** @param url of the Worker's debugger */
  static async attach(url: string): Promise<Inspector> {
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error('The inspector does not answer')));
    });
    return new Inspector(socket);
  }

  /** Bytes of live JavaScript objects and of buffers, after garbage collection. */
  async heap(): Promise<{ objects: number; buffers: number }> {
    // The runtime collects garbage, but does not say when it has.
    this.#ask('HeapProfiler.collectGarbage').catch(() => undefined);
    await setTimeout(500);
    const used = (await this.#ask('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number };
    return { objects: used.usedSize, buffers: used.backingStorageSize ?? 0 };
  }

  /** Profiles the Worker while some work is done. Gives the functions in the order of their shares, and the time, seconds. */
  async profile(work: () => Promise<unknown>): Promise<{ functions: SelfTime[]; seconds: number }> {
    await this.#ask('Profiler.enable');
    await this.#ask('Profiler.setSamplingInterval', { interval: 200 });
    await this.#ask('Profiler.start');
    await work();
    const { profile } = (await this.#ask('Profiler.stop')) as { profile: CpuProfile };
    const nameOf = new Map(
      profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
        id,
        `${functionName || '(anonymous)'}${url ? `:${lineNumber + 1}` : ''}`,
      ]),
    );
    const times = new Map<string, number>();
    for (const [i, id] of profile.samples.entries()) {
      const name = nameOf.get(id) ?? '';
      times.set(name, (times.get(name) ?? 0) + (profile.timeDeltas[i] ?? 0));
    }
    for (const idle of ['(idle)', '(root)']) times.delete(idle);
    const total = [...times.values()].reduce((sum, time) => sum + time, 0);
    const functions = [...times].map(([where, time]) => ({ where, share: time / total }));
    return { functions: functions.sort((a, b) => b.share - a.share), seconds: total / 1e6 };
  }

  close(): void {
    this.#socket.close();
  }

  #ask(method: string, params: object = {}): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }
}
