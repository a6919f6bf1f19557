import { stripVTControlCharacters } from 'node:util';

/** How many of the last lines are stored for the case that the runtime ends unexpectedly. */
const MAX_LAST_LINES = 20;

/** A request, as wrangler prints it: `[wrangler:info] GET /v1/regions 200 OK (12ms)`. */
const REQUEST = /^\[wrangler:info\] ([A-Z]+ \S+ \d{3})\b.*\((\d+)ms\)$/;

const BUILD = /^\[custom build\] (?!Running:)(.*)$/;

const ERROR = /^\S*\s*\[ERROR\] (.*)$/;

/** Lines of wrangler about itself, and indented ones that belong to them. Others are from `console.log` in the Worker. */
const ABOUT_ITSELF = /^(?:\s|$|[⎔❓▲⛅✨]|\[wrangler|\[custom build|Using secrets|Your Worker has|Binding |env\.)/u;

interface Options {
  /** Whether a line is said about a request now. */
  requests: () => boolean;
  say: (sentence: string) => void;
}

/** A line that the Worker logs. See src/log.ts. */
interface LogLine {
  level: 'info' | 'error';
  what?: string;
  method?: string;
  path?: string;
  status?: number;
  error?: LoggedError;
}

interface LoggedError {
  code?: string;
  message?: string;
  stack?: string;
  cause?: LoggedError;
}

/** What a database that is not open yet refuses statements with. */
const STARTING = '57P03';

/** What the Worker says of all that this server is still making. */
const PREPARED = 'is being prepared, and this needs it';

/** Chooses from the lines that wrangler and the Worker print what people want to read, and says that in few words. */
export class WorkerOutput {
  readonly #options: Options;
  readonly #lastLines: string[] = [];
  readonly #build: string[] = [];
  #insideError = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The last lines as they were printed. */
  get lastLines(): string {
    return this.#lastLines.join('\n');
  }

  take(printed: string): void {
    const { requests, say } = this.#options;
    const line = stripVTControlCharacters(printed);
    this.#lastLines.push(line);
    if (this.#lastLines.length > MAX_LAST_LINES) this.#lastLines.shift();
    const [, request, took] = REQUEST.exec(line) ?? [];
    if (request) {
      if (requests()) say(`${request} in ${took} ms`);
      return;
    }
    const [, error] = ERROR.exec(line) ?? [];
    // Wrangler marks what the Worker writes with `console.error` as its own errors.
    const logged = logLineOf(error ?? line);
    if (logged) {
      if (logged.level === 'error' && !isOfStart(logged)) say(describe(logged));
      return;
    }
    const [, built] = BUILD.exec(line) ?? [];
    if (built !== undefined) this.#build.push(built);
    if (error !== undefined) {
      // What the build of the pages printed says why it failed.
      for (const text of [...this.#build.splice(0), error]) say(text);
      this.#insideError = true;
      return;
    }
    this.#insideError &&= /^(\s|$)/.test(line);
    if (this.#insideError || !ABOUT_ITSELF.test(line)) say(line);
  }
}

function logLineOf(line: string): LogLine | undefined {
  if (!line.startsWith('{"level":"')) return undefined;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}

/** Whether a thing failed because what it needs is being prepared, which the start says by itself. */
function isOfStart({ status = 503, error }: LogLine): boolean {
  // A health check says itself what it found.
  if (error === undefined) return status === 503;
  let cause: LoggedError | undefined = error;
  while (cause && cause.code !== STARTING && !cause.message?.includes(PREPARED)) cause = cause.cause;
  return status === 503 && cause !== undefined;
}

function describe({ what, method, path, status, error }: LogLine): string {
  const address = encodeURI((path ?? '').toWellFormed());
  // A stream that broke off after its head has no status of its own.
  const ofRequest = status === undefined ? `${address} broke off` : `${method} ${address} answered ${status}`;
  const subject = what === undefined ? ofRequest : `${what} failed`;
  return `${subject}: ${error?.stack ?? error?.message ?? 'no reason is known'}`;
}
