import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './command/root.ts';
import { withScratch } from './command/scratch.ts';
import { clientDocument } from './pages/client-document.ts';
import { renderDocument } from './pages/document.ts';

// npm run client:types [-- --check]: writes the types of the TypeScript client from the OpenAPI document, with the generator
// that .ci/clients installs. With --check it writes nothing, and fails where they would differ.

const TOOLS = process.env.CLIENTS_NODE ?? join(ROOT, '.cache/clients-node');
const GENERATOR = join(TOOLS, 'node_modules/openapi-typescript/bin/cli.js');
const TYPES = join(ROOT, 'clients/typescript/src/openapi.ts');

await withScratch(async (directory) => {
  const [document, types] = [join(directory, 'openapi.json'), join(directory, 'openapi.ts')];
  await writeFile(document, JSON.stringify(clientDocument(await renderDocument())));
  const args = [GENERATOR, document, '-o', types, '--default-non-nullable=false'];
  // The generator would lint a part of the document by the rules for all of it, if they were where it runs.
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stderr}\nThe generator is installed by .ci/clients, in ${TOOLS}.`);
  const made = await readFile(types, 'utf8');
  if (!process.argv.includes('--check')) await writeFile(TYPES, made);
  else if (made !== (await readFile(TYPES, 'utf8'))) {
    console.error('The types of clients/typescript are not those of the document: npm run client:types');
    process.exitCode = 1;
  }
});
