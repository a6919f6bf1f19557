import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { medianOf, printTable } from './bench/table.ts';
import { FLAG, runCommand, TEXT, WrongUse } from './command/command.ts';
import { ROOT } from './command/root.ts';
import { findRunning } from './command/running.ts';

// npm run lighthouse: what Lighthouse says of the pages of a service. .ci/lighthouse installs what it needs.

const USAGE = `Measures the pages of a service with Lighthouse, as a phone on slow 4G and as a desktop computer.

  .ci/lighthouse [--address https://…] [--runs 3] [--without-webgl] [path…]

  --address        of the service; by default that of npm run dev
  --runs           how often each page is measured; the medians are printed
  --without-webgl  in a browser that draws no map, where the processor would have to
  path             of a page, such as /explore; by default all, with every page of the reference`;

const PAGES = ['/', '/docs', '/dashboard', '/explore', '/match', '/downloads'];

const FORMS = ['mobile', 'desktop'] as const;
type Form = (typeof FORMS)[number];

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** Milliseconds, the layout shift aside, which has no unit. */
const METRICS = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
} as const;

/** How many measurements of a page may fail. */
const MAX_FAILURES = 3;

/** Where distributions install Chromium. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The parts of Lighthouse that are used. It is not among the packages of this project, because it has 80 of its own. */
interface Lighthouse {
  default(address: string, flags: object, config?: object): Promise<{ lhr: Report } | undefined>;
  desktopConfig: object;
}

interface Launcher {
  launch(options: { chromePath: string; chromeFlags: string[] }): Promise<{ port: number; kill(): void }>;
}

interface Report {
  /** Scores from 0 to 1, null where there is none. */
  categories: Record<string, { score: number | null; auditRefs: readonly { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null; numericValue?: number }>;
  runtimeError?: { message: string };
}

interface Options {
  address: string;
  runs: number;
  withoutWebGl: boolean;
  paths: readonly string[];
}

async function main({ address, runs, withoutWebGl, paths }: Options): Promise<void> {
  const modules = join(process.env.LIGHTHOUSE ?? join(ROOT, '.cache/lighthouse'), 'node_modules');
  const chromePath = process.env.CHROMIUM ?? CHROMIUM.find((path) => existsSync(path));
  if (!chromePath || !existsSync(join(modules, 'lighthouse'))) {
    throw new Error('Lighthouse or Chromium is missing: .ci/lighthouse installs both and runs this.');
  }
  const load = (path: string): Promise<unknown> => import(pathToFileURL(join(modules, path)).href);
  const { default: lighthouse, desktopConfig } = (await load('lighthouse/core/index.js')) as Lighthouse;
  const { launch } = (await load('chrome-launcher/dist/index.js')) as Launcher;
  const chromeFlags = [
    '--headless=new',
    // A container runs as root, for whom the sandbox is not available.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    // Maps are drawn by the processor where there is no graphics card.
    withoutWebGl ? '--disable-3d-apis' : '--enable-unsafe-swiftshader',
  ];

  /** Measures a page once, in a browser of its own. */
  const measure = async (path: string, form: Form): Promise<Report> => {
    const browser = await launch({ chromePath, chromeFlags });
    try {
      const flags = {
        port: browser.port,
        onlyCategories: CATEGORIES,
        logLevel: 'error',
        // The limit of callers without a key is counted by their address. The local runtime takes it from here.
        ...(isLocal(address) ? { extraHeaders: { 'CF-Connecting-IP': freshAddress() } } : {}),
      };
      const result = await lighthouse(address + path, flags, form === 'desktop' ? desktopConfig : undefined);
      const report = result?.lhr;
      if (!report) throw new Error(`Lighthouse had no report of ${path}.`);
      return report;
    } finally {
      browser.kill();
    }
  };

  console.log(`${address}${withoutWebGl ? ', in a browser without WebGL' : ''}: medians of ${runs}.`);
  const faults = new Set<string>();
  for (const form of FORMS) {
    const rows: string[][] = [];
    for (const path of paths) {
      const reports: Report[] = [];
      for (let failures = 0; reports.length < runs; ) {
        const report = await measure(path, form);
        const { runtimeError } = report;
        if (!runtimeError) reports.push(report);
        // On a busy machine a recording fails now and then.
        else if (++failures > MAX_FAILURES) throw new Error(`${path}: ${runtimeError.message}`);
      }
      rows.push([path, ...scoresOf(reports), ...metricsOf(reports)]);
      for (const fault of faultsOf(reports)) faults.add(`${path}, ${form}: ${fault}`);
    }
    printTable(form, ['page', ...CATEGORIES, ...Object.keys(METRICS)], rows);
  }
  if (faults.size > 0) console.log(`\n${[...faults].join('\n')}`);
}

function scoresOf(reports: readonly Report[]): string[] {
  return CATEGORIES.map((name) => {
    const scores = reports.map(({ categories }) => categories[name]?.score ?? Number.NaN);
    return (100 * medianOf(scores)).toFixed(0);
  });
}

function metricsOf(reports: readonly Report[]): string[] {
  return Object.entries(METRICS).map(([name, audit]) => {
    const value = medianOf(reports.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN));
    return name === 'CLS' ? value.toFixed(2) : `${value.toFixed(0)} ms`;
  });
}

/** What costs points besides times: faults of accessibility, of good practice and for search engines. */
function faultsOf(reports: readonly Report[]): string[] {
  return reports.flatMap(({ categories, audits }) =>
    CATEGORIES.filter((name) => name !== 'performance')
      .flatMap((name) => categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => audits[id]?.title ?? id),
  );
}

function isLocal(address: string): boolean {
  return ['127.0.0.1', 'localhost'].includes(new URL(address).hostname);
}

/** A unique address of a caller. */
function freshAddress(): string {
  const byte = () => Math.floor(Math.random() * 256);
  return `10.${byte()}.${byte()}.${byte()}`;
}

/** The paths of all pages: those of the reference are found by their links. */
async function findPages(address: string): Promise<string[]> {
  const reference = await (await fetch(`${address}/docs`)).text();
  const parts = [...reference.matchAll(/href="(\/docs\/[a-z0-9-]+)"/g)].map(([, path]) => path as string);
  return [...new Set([...PAGES, ...parts])];
}

const options = { address: TEXT, runs: TEXT, 'without-webgl': FLAG };
await runCommand(
  { usage: USAGE, options, positionals: [0, Number.POSITIVE_INFINITY] },
  async ({ values, positionals }) => {
    const { runs: given = '3', 'without-webgl': withoutWebGl = false } = values;
    const runs = Number(given);
    if (!Number.isInteger(runs) || runs < 1) throw new WrongUse(`--runs must be a whole number, not "${given}".`);
    const wrong = positionals.find((path) => !path.startsWith('/'));
    if (wrong !== undefined) throw new WrongUse(`A page is named by its path, such as /explore, not "${wrong}".`);
    const address = values.address?.replace(/\/$/, '') ?? (await findRunning())?.address;
    if (address === undefined)
      throw new Error('No service runs here: start it with npm run dev, or name its --address.');
    const paths = positionals.length > 0 ? positionals : await findPages(address);
    await main({ address, runs, withoutWebGl, paths });
  },
);
