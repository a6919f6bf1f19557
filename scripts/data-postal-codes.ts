import { runCommand } from './command/command.ts';
import { readLists } from './pipeline/postal-codes/lists.ts';
import { writePacked } from './pipeline/postal-codes/packed.ts';
import { newestNames, placed } from './pipeline/postal-codes/place.ts';

const USAGE = `Makes data/postal-codes/areas.json, the ZIP codes of cities and municipalities, of two public lists.

  npm run data:postal-codes -- <phzipcodes> <psgc>

  <phzipcodes>  folder of the unpacked wheel of the PyPI package phzipcodes
  <psgc>        folder of the unpacked wheel of the PyPI package psgc

It places the lines of both lists with the matching of the service, and prints what it could not place, where the lists
disagree, and which cities and municipalities have no ZIP code. scripts/pipeline/postal-codes/decisions.json decides by
hand what the matching can't know.`;

await runCommand({ usage: USAGE, positionals: [2, 2] }, async ({ positionals }) => {
  const [post, community] = positionals as [string, string];
  const { lists, inputs } = await readLists({ post, community });
  const { zips, unplaced, contradictions, without } = placed(lists, await newestNames());
  const bytes = await writePacked(zips, inputs);
  for (const [heading, lines] of Object.entries({
    'Not placed': unplaced,
    'The lists disagree': contradictions,
    'Without a ZIP code': without,
  })) {
    console.log(`${heading}: ${lines.length}\n${lines.map((line) => `  ${line}`).join('\n')}`);
  }
  console.log(`data/postal-codes/areas.json: ${(bytes / 1e3).toFixed(1)} kB`);
});
