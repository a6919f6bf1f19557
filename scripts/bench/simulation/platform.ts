import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, webcrypto } from 'node:crypto';
import { transformSync } from 'esbuild';
import { MAIN_MODULE, type Modules } from '../../command/worker-modules.ts';
import { Clock } from './clock.ts';

/** How long an idle object stays in memory, milliseconds (developers.cloudflare.com/durable-objects/concepts/durable-object-lifecycle). */
const EVICTED_AFTER_MS = 10_000;

/** Latency of a call of an object, and of a statement, milliseconds. An object that waits for one is awake. */
const CALL_MS = 5;
const STATEMENT_MS = 10;

/** Min time that a call keeps an object awake, milliseconds. */
const MIN_AWAKE_MS = 1;

/** Types of columns, as PostgreSQL numbers them. */
const TEXT = 25;
const TYPES: Readonly<Record<string, number>> = { rate_limit_rpm: 23, account_rpm: 23, is_admin: 16, expires_at: 701 };

/** Billed operations of the platform and the database. */
export interface Bill {
  requests: number;
  /** Calls of objects, alarms among them. */
  calls: number;
  /** Values that objects have written or deleted, and alarms that they have set. */
  rows: number;
  awakeMs: number;
  statements: number;
}

interface WorkerModule {
  default: { fetch(request: Request, env: object, context: object): Promise<Response> };
  Meter: new (state: object, env: object) => Record<string, (...given: unknown[]) => unknown>;
}

interface LivingObject {
  readonly name: string;
  readonly stored: Map<string, unknown>;
  instance: InstanceType<WorkerModule['Meter']> | undefined;
  /** How many calls it works on. */
  busy: number;
  idleSince: number;
  awakeSince: number;
  alarm: { time: number; off: () => void } | undefined;
}

export interface SimulatedKey {
  readonly prefix: string;
  readonly row: Readonly<Record<string, string | null>>;
}

/**
 * The Worker's own modules in simulated time: instances that share no memory, Durable Objects that are evicted when they are
 * idle, and a database that knows keys. Nothing of the project is replaced; what bills is counted.
 */
export class Platform {
  readonly bill: Bill = { requests: 0, calls: 0, rows: 0, awakeMs: 0, statements: 0 };
  readonly clock = new Clock(Date.UTC(2026, 0, 1));
  /** Whether the database refuses all statements. */
  isDatabaseAway = false;
  /** Requests recorded in the database, by the ids of their batches. */
  readonly usage = new Map<string, number>();
  /** The code of each module, by its name. */
  readonly #code: ReadonlyMap<string, string>;
  readonly #settings: object;
  readonly #keys: ReadonlyMap<string, SimulatedKey>;
  readonly #objects = new Map<string, LivingObject>();
  readonly #objectModule: WorkerModule;
  readonly #currentObject = new AsyncLocalStorage<LivingObject>();

  constructor(modules: Modules, { settings, keys }: { settings: object; keys: readonly SimulatedKey[] }) {
    // A function, which is what a module is evaluated as, has a `require` of ours, but no `import()`.
    const options = { format: 'cjs', target: 'node24', supported: { 'dynamic-import': false } } as const;
    const code = Object.entries(modules).map(([name, text]) => [name, transformSync(text, options).code] as const);
    this.#code = new Map(code);
    this.#settings = settings;
    this.#keys = new Map(keys.map((key) => [key.prefix, key]));
    this.#objectModule = this.#load();
  }

  /** A new instance of the Worker. @returns a function that handles a request */
  instance(): (path: string, headers: Record<string, string>) => Promise<number> {
    const worker = this.#load().default;
    const env = this.#env();
    return async (path, headers) => {
      this.bill.requests += 1;
      const context = { waitUntil: () => undefined, passThroughOnException: () => undefined };
      const response = await worker.fetch(new Request(`https://geo.example${path}`, { headers }), env, context);
      return response.status;
    };
  }

  #env(): object {
    const METER = {
      idFromName: (name: string) => name,
      get: (name: string) =>
        new Proxy(
          {},
          {
            get:
              (_, method) =>
              (...given: unknown[]) =>
                this.#call(name, String(method), given),
          },
        ),
    };
    const nothing = async () => null;
    return { ...this.#settings, METER, FILES: { get: nothing, head: nothing, put: nothing, delete: nothing } };
  }

  async #call(name: string, method: string, given: unknown[]): Promise<unknown> {
    this.bill.calls += 1;
    await this.clock.wait(CALL_MS);
    return structuredClone(await this.#within(this.#objectOf(name), method, structuredClone(given)));
  }

  #objectOf(name: string): LivingObject {
    let object = this.#objects.get(name);
    if (!object) {
      const idle = { busy: 0, idleSince: 0, awakeSince: 0, alarm: undefined };
      object = { name, stored: new Map(), instance: undefined, ...idle };
      this.#objects.set(name, object);
    }
    return object;
  }

  async #within(object: LivingObject, method: string, given: unknown[]): Promise<unknown> {
    if (object.busy === 0 && this.clock.now - object.idleSince >= EVICTED_AFTER_MS) object.instance = undefined;
    object.instance ??= new this.#objectModule.Meter({ storage: this.#storageOf(object) }, this.#env());
    const { instance } = object;
    this.#begin(object);
    try {
      return await this.#currentObject.run(object, async () => instance[method]?.(...given));
    } finally {
      this.#end(object);
    }
  }

  #begin(object: LivingObject): void {
    if (object.busy === 0) object.awakeSince = this.clock.now;
    object.busy += 1;
  }

  #end(object: LivingObject): void {
    object.busy -= 1;
    if (object.busy > 0) return;
    object.idleSince = this.clock.now;
    this.bill.awakeMs += Math.max(MIN_AWAKE_MS, this.clock.now - object.awakeSince);
  }

  #storageOf(object: LivingObject): object {
    const { stored } = object;
    const write = () => {
      this.bill.rows += 1;
    };
    const sql = { exec: () => ({ toArray: () => [] }) };
    return {
      sql,
      transactionSync: (run: () => unknown) => run(),
      kv: {
        get: (name: string) => structuredClone(stored.get(name)),
        put: (name: string, value: unknown) => {
          write();
          stored.set(name, structuredClone(value));
        },
        delete: (name: string) => {
          write();
          return stored.delete(name);
        },
      },
      getAlarm: async () => object.alarm?.time ?? null,
      setAlarm: async (time: number) => {
        write();
        object.alarm?.off();
        const off = this.clock.at(time, () => {
          object.alarm = undefined;
          this.bill.calls += 1;
          void this.#within(object, 'alarm', []);
        });
        object.alarm = { time, off };
      },
    };
  }

  /** Evaluates the modules anew, with a memory of its own and the simulated clock. */
  #load(): WorkerModule {
    const { clock } = this;
    class SimulatedDate extends Date {
      constructor(...given: unknown[]) {
        super(...((given.length === 0 ? [clock.now] : given) as [number]));
      }
      static override now(): number {
        return clock.now;
      }
    }
    // A timer of an object keeps it awake.
    const setTimer = (run: () => void, milliseconds = 0) => {
      const object = this.#currentObject.getStore();
      if (object) this.#begin(object);
      let isOver = false;
      const end = () => {
        if (isOver) return;
        isOver = true;
        if (object) this.#end(object);
      };
      const off = clock.at(clock.now + milliseconds, () => {
        if (!isOver) run();
        end();
      });
      return () => {
        off();
        end();
      };
    };
    const scope = {
      Date: SimulatedDate,
      setTimeout: setTimer,
      clearTimeout: (off?: () => void) => off?.(),
      scheduler: { wait: (milliseconds: number) => new Promise<void>((resolve) => setTimer(resolve, milliseconds)) },
      fetch: (_: unknown, init: { body: string }) => this.#query(init.body),
      caches: { default: { match: async () => undefined, put: async () => undefined } },
      console: { log: () => undefined, error: () => undefined, warn: () => undefined },
      // A synchronous digest, so that an event needs only one turn of the event loop.
      crypto: {
        randomUUID: () => webcrypto.randomUUID(),
        getRandomValues: (bytes: Uint8Array) => webcrypto.getRandomValues(bytes),
        subtle: { digest: async (_: string, bytes: Uint8Array) => sha256(bytes) },
      },
    };
    const evaluated = new Map<string, { exports: unknown }>();
    const imports = (specifier: string): unknown => {
      if (specifier === 'cloudflare:workers') return { DurableObject: SimulatedObject };
      const name = specifier.replace(/^\.\//, '');
      const present = evaluated.get(name);
      if (present) return present.exports;
      const code = this.#code.get(name);
      if (code === undefined) throw new Error(`The Worker imports ${specifier}, which is not simulated.`);
      const module = { exports: {} };
      evaluated.set(name, module);
      const run = new Function('module', 'exports', 'require', ...Object.keys(scope), code);
      run(module, module.exports, imports, ...Object.values(scope));
      return module.exports;
    };
    return imports(MAIN_MODULE) as WorkerModule;
  }

  /** Answers a statement like Neon: a key by its prefix, nothing for any other. */
  async #query(body: string): Promise<Response> {
    this.bill.statements += 1;
    await this.clock.wait(STATEMENT_MS);
    if (this.isDatabaseAway) return new Response('Not now', { status: 500 });
    const { query, params } = JSON.parse(body) as { query: string; params: string[] };
    if (query.includes('insert into "usage_batches"')) this.usage.set(String(params[0]), requestsIn(params));
    const key = query.includes('k.prefix =') ? this.#keys.get(String(params.at(-1))) : undefined;
    const fields = Object.keys(key?.row ?? {}).map((name) => ({ name, dataTypeID: TYPES[name] ?? TEXT }));
    const rows = key ? [Object.values(key.row)] : [];
    return Response.json({ command: 'SELECT', rowCount: rows.length, rowAsArray: true, fields, rows });
  }
}

/** The sum of the last array but one of a statement that adds usage: of the numbers of requests. */
function requestsIn(params: readonly string[]): number {
  const arrays = params.filter((param) => String(param).startsWith('{'));
  const requests = String(arrays.at(-2)).slice(1, -1).split(',');
  return requests.reduce((sum, text) => sum + Number(text.replaceAll('"', '')), 0);
}

class SimulatedObject {
  readonly ctx: object;
  readonly env: object;

  constructor(ctx: object, env: object) {
    this.ctx = ctx;
    this.env = env;
  }
}

function sha256(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(createHash('sha256').update(bytes).digest()).buffer;
}
