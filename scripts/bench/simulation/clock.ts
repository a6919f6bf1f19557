/** A moment at which something goes on. */
interface Event {
  readonly time: number;
  readonly order: number;
  run(): void;
}

/** A simulated clock, which advances as fast as its events are processed. */
export class Clock {
  now: number;
  /** A binary heap by time. */
  readonly #events: Event[] = [];
  #order = 0;

  constructor(start: number) {
    this.now = start;
  }

  /** @returns a function that cancels the event */
  at(time: number, run: () => void): () => void {
    let isOff = false;
    this.#push({ time: Math.max(time, this.now), order: this.#order, run: () => isOff || run() });
    this.#order += 1;
    return () => {
      isOff = true;
    };
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.at(this.now + milliseconds, resolve));
  }

  /** Processes all events until a time. */
  async runUntil(time: number): Promise<void> {
    for (;;) {
      // Running work must have scheduled its next wait.
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#events[0];
      if (!next || next.time > time) break;
      this.now = next.time;
      while (this.#events[0]?.time === this.now) this.#pop().run();
    }
    this.now = time;
  }

  #push(event: Event): void {
    const events = this.#events;
    let index = events.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (isBefore(events[parent] as Event, event)) break;
      events[index] = events[parent] as Event;
      index = parent;
    }
    events[index] = event;
  }

  #pop(): Event {
    const events = this.#events;
    const first = events[0] as Event;
    const last = events.pop() as Event;
    if (events.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= events.length) break;
      const right = events[child + 1];
      if (right && isBefore(right, events[child] as Event)) child += 1;
      if (isBefore(last, events[child] as Event)) break;
      events[index] = events[child] as Event;
      index = child;
    }
    events[index] = last;
    return first;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.time < other.time || (one.time === other.time && one.order < other.order);
}
