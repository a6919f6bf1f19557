import { join } from 'node:path';
import { runCommand } from './command/command.ts';
import { withScratch } from './command/scratch.ts';
import { withClient } from './database/client.ts';
import { openEmbedded } from './database/embedded.ts';
import { migrate } from './database/migrate.ts';
import { describeBoundaries } from './pipeline/boundaries/check/describe.ts';
import { withBoundaries } from './pipeline/boundaries/load.ts';
import { ranksOf } from './pipeline/boundaries/packed/borders.ts';
import { controlOf } from './pipeline/boundaries/packed/control.ts';
import { readBorders, writeBorders, writeControl, writeInputs } from './pipeline/boundaries/packed/repository-files.ts';
import { findBoundaryFiles } from './pipeline/boundaries/read/files.ts';
import { inputOf } from './pipeline/inputs.ts';
import { toRelease } from './pipeline/psgc/areas.ts';
import { checkRelease } from './pipeline/psgc/checks.ts';
import { publicationOf, readHistory } from './pipeline/psgc/history.ts';
import { writeChecked } from './pipeline/release/write.ts';

const USAGE = `Makes data/boundaries/country.topology, the borders of the country, of boundary files, and control.csv.br
beside it, which says what the files have of each area, so that tests can hold the borders against them.

  npm run data:boundaries -- <directory>

  <directory>  GeoJSON, newline-delimited GeoJSON, TopoJSON or shapefiles of every level, keyed by PSGC code

It loads the files into a database of its own, which is removed, and takes some minutes and 3 GB of memory. Whose the
files are stands in data/boundaries/source.json: change it there where they are others.`;

await runCommand({ usage: USAGE, positionals: [1, 1] }, ({ positionals, progress }) =>
  withScratch(async (scratch) => {
    const directory = positionals[0] as string;
    const { psgcEdition } = await readBorders();
    const release = toRelease(publicationOf(await readHistory(), psgcEdition));
    const database = await openEmbedded(scratch);
    try {
      await migrate(database.url);
      const report = await withClient(database.url, (client) =>
        withBoundaries(release, { boundaries: directory }, async (prepared) => {
          const control = await controlOf(directory, release, join(scratch, 'files'));
          let [bytes, controlBytes] = [0, 0];
          const written = await writeChecked(
            client,
            { release, report: checkRelease(release).report },
            {
              boundaries: {
                write: async (...given) => {
                  const boundaries = await prepared.write(...given);
                  const { units, topologies } = boundaries.country;
                  bytes = await writeBorders({ units, detailed: topologies.detailed, ranks: ranksOf(topologies) });
                  controlBytes = await writeControl(control);
                  await writeInputs(await Promise.all((await findBoundaryFiles(directory)).map(inputOf)));
                  return boundaries;
                },
              },
              onProgress: progress.update,
            },
          );
          return { bytes, controlBytes, boundaries: written.report.boundaries };
        }),
      );
      progress.clear();
      if (report.boundaries) console.log(describeBoundaries(report.boundaries).join('\n'));
      console.log(`\ndata/boundaries/country.topology: ${(report.bytes / 1e6).toFixed(1)} MB`);
      console.log(`data/boundaries/control.csv.br: ${(report.controlBytes / 1e3).toFixed(0)} kB`);
    } finally {
      await database.close();
    }
  }),
);
