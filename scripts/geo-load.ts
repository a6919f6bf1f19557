import { FLAG, runCommand, TEXT } from './command/command.ts';
import { WHICH_DATABASE, withDatabase } from './command/database.ts';
import { withScratch } from './command/scratch.ts';
import { findService, WHICH_SERVICE } from './command/service.ts';
import { sentenceOf } from './database/failure.ts';
import { describeBoundaries } from './pipeline/boundaries/check/describe.ts';
import type { PairReport } from './pipeline/editions/release.ts';
import { LoadRefused } from './pipeline/psgc/checks.ts';
import { type InactiveRelease, loadRelease } from './pipeline/release/load.ts';
import { describeLoss, describeOlder } from './pipeline/release/loss.ts';
import { loadAndServe, NotServed } from './pipeline/release/serve.ts';

const USAGE = `Loads the Philippine Standard Geographic Code, and the boundaries of its areas, as a new release and activates it,
unless users would lose boundaries or attributes by that, or the active release is of a newer edition: then it stays
inactive, and the command says why. It is compared with the editions before and after it in data/psgc.

  npm run geo:load -- [--psgc <builtin | workbook.xlsx>] [--boundaries <builtin | none | directory | file | URL>]
                      [--edition <edition>] [--allow-missing] [--allow-older] [--no-activate] [--to <address>]

  --psgc           "builtin", the default: an edition in data/psgc; else a publication workbook of the PSA
  --boundaries     "builtin", the default: the borders in data/boundaries; "none"; else boundary files keyed by PSGC code:
                   a directory of GeoJSON, newline-delimited GeoJSON (packed with gzip or not), TopoJSON and zipped
                   shapefiles, one such file, or the URL of one
  --edition        which built-in edition, the newest unless given: 2023-4q, 2025-07; or that of a workbook whose sheet
                   Metadata and file name don't say it, or say two; it decides over both: "1Q 2026"
  --allow-missing  load although many areas have no boundary and nothing explains it; such boundaries are for display
                   only: there is no reverse geocoding with them. A few in a thousand are never refused
  --allow-older    activate the release also in place of one of a newer edition
  --no-activate    leave the release that is served as it is; \`npm run geo:activate\` serves the new one later
  --to             ${WHICH_SERVICE.replaceAll('\n', '\n      ')}

The snapshot of the release, which geography is answered from without the database, is published to that service before
the release is activated. Without a service the database answers until \`npm run geo:publish\` publishes one, which
\`npm run dev\` does by itself.

The names of files tell their level (regions, provinces, municities, barangays, adm1 to adm4) and resolution (simple,
medium, detailed, lowres, medres, hires). A file source.json beside them tells their publisher, licence and attribution;
without it they are taken for the COD-AB set of UN OCHA. Its list "gaps" names the codes of areas that they are known to
lack, with everything below those; such holes are allowed.

${WHICH_DATABASE} It is created and migrated where that is needed.`;

const PUBLISHED = 'Its snapshot is published.';
const UNPUBLISHED =
  'Its snapshot is not published: no service was given with --to, and none runs here. The database answers until npm run geo:publish publishes one; npm run dev does so by itself.';

/** Share of the time that opening and migrating the database takes. */
const OPENING = 0.1;

const options = {
  psgc: { ...TEXT, default: 'builtin' },
  boundaries: { ...TEXT, default: 'builtin' },
  edition: TEXT,
  'allow-missing': FLAG,
  'allow-older': FLAG,
  'no-activate': FLAG,
  to: TEXT,
};
await runCommand({ usage: USAGE, options }, async ({ values, progress }) => {
  const { psgc, edition, boundaries, 'no-activate': isInactive = false } = values;
  const started = performance.now();
  try {
    const endpoint = await findService(values.to);
    const loaded = await withDatabase({ create: true, onProgress: progress.part(0, OPENING) }, (client) => {
      const options = {
        client,
        psgc,
        edition,
        boundaries: boundaries === 'none' ? undefined : boundaries,
        allowMissing: values['allow-missing'],
        activate: !isInactive,
        allowOlder: values['allow-older'],
        onProgress: progress.part(OPENING, 1),
      };
      return endpoint ? withScratch((scratch) => loadAndServe(endpoint, scratch, options)) : loadRelease(options);
    });
    progress.clear();
    console.log(describeLoad(loaded, loaded.active, performance.now() - started));
    console.log(`\n${endpoint ? PUBLISHED : UNPUBLISHED}`);
    if (loaded.newer !== null) console.log(`\n${describeOlder(loaded.releaseId, loaded.newer)}`);
    if (loaded.loss === null) return 0;
    console.error(`\n${describeLoss(loaded.releaseId, loaded.loss)}`);
    return 1;
  } catch (error) {
    progress.clear();
    if (error instanceof LoadRefused) {
      for (const line of error.shown) console.error(line);
      console.error(`\nRefused for ${error.problems.length} problem(s); nothing was loaded. ${error.remedy}`);
    } else if (error instanceof NotServed) {
      const { releaseId } = error.loaded;
      console.log(describeLoad(error.loaded, false, performance.now() - started));
      console.error(`\n${error.message}, because: ${sentenceOf(error.cause)}`);
      console.error(`What was served still is. To go on: npm run geo:publish -- ${releaseId}, then geo:activate.`);
    } else {
      throw error;
    }
    return 1;
  }
});

function describeLoad(
  { releaseId, edition, report, pairs }: InactiveRelease,
  active: boolean,
  milliseconds: number,
): string {
  const state = active ? 'active' : 'not active';
  const lines = [`Release ${releaseId} (PSGC ${edition}), ${state}, in ${(milliseconds / 1000).toFixed(1)} s`, ''];
  for (const [what, count] of Object.entries(report.counts)) {
    lines.push(`${count.toLocaleString('en').padStart(8)}  ${what}`);
  }
  if (report.repairs.length > 0) lines.push('', 'Names repaired:', ...report.repairs.map((repair) => `  ${repair}`));
  if (report.ignored.length > 0) lines.push('', 'Left out:', ...report.ignored.map((it) => `  ${it.row}: ${it.why}`));
  const warnings = report.warnings.map(({ at, what }) => `  ${at}: ${what}`);
  if (warnings.length > 0) lines.push('', 'To be looked at:', ...warnings);
  for (const compared of pairs) lines.push('', ...describeComparison(compared));
  if (report.boundaries) lines.push('', ...describeBoundaries(report.boundaries));
  return lines.join('\n');
}

/** The findings between two editions, and what remains unexplained. */
function describeComparison({ from, to, changes, unexplained: { gone, made } }: PairReport): string[] {
  const counts = Object.entries(changes).map(([kind, count]) => `${count.toLocaleString('en')} ${kind}`);
  return [
    `Between ${from} and ${to}: ${counts.join(', ') || 'no change'}`,
    ...gone.map((area) => `  ${area} is gone, and nothing says what took its place`),
    ...made.map((area) => `  ${area} is new, and nothing says what it was made from`),
  ];
}
