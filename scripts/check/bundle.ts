import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

// Builds the Worker as a deployment would, and fails when it is larger than its budget.

/**
 * Bytes, gzipped. The readers of uploaded files, among them XML, projections, FlatGeobuf and SQLite, take about 60 kB of it,
 * the search of names with their aliases 15 kB, the reading of texts and districts 8 kB, the matching of tables 16 kB, exports
 * as FlatGeobuf, GeoParquet and GeoPackage 22 kB (14 of it is hyparquet-writer), and editions 12 kB. The Model Context Protocol takes 65 kB: its library, which has the schemas
 * of every message of all versions, 53 kB, and the tools 12 kB. They are loaded with the first request to them. The map of the
 * country for everybody takes half a kilobyte, public datasets for everybody, sub-municipalities and limits of accounts one
 * each, the age of lists and what a server for development may lack or prepare half of one each. Counters that sleep take four.
 * What other people's files are (encodings of tables, layers, zip64) takes one and a half, notices of parameters and codes
 * another, rows that are not valid one, and the deletion of releases one. Limits of topologies and turns between long texts
 * take half of one, what rows to match contradict themselves in three, and the join of a table
 * with areas three.
 */
const BUDGET = 496_000;

const manifest = createRequire(import.meta.url).resolve('wrangler/package.json');
const wrangler = join(dirname(manifest), 'bin', 'wrangler.js');
const out = await mkdtemp(join(tmpdir(), 'pgds-bundle-'));
try {
  const args = [wrangler, 'deploy', '--dry-run', '--outdir', out];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) {
    console.error(stdout + stderr);
    process.exitCode = 1;
  } else {
    const modules = (await readdir(out)).filter((name) => !/\.map$|^README\.md$/.test(name));
    let bytes = 0;
    for (const name of modules) bytes += gzipSync(await readFile(join(out, name))).length;
    console.log(`${(bytes / 1000).toFixed(1)} kB gzipped of ${BUDGET / 1000} kB`);
    if (bytes > BUDGET) process.exitCode = 1;
  }
} finally {
  await rm(out, { recursive: true, force: true });
}
