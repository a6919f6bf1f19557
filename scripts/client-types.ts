import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FLAG, runCommand } from './command/command.ts';
import { ROOT } from './command/root.ts';
import { withScratch } from './command/scratch.ts';
import { clientDocument } from './pages/client-document.ts';
import { renderDocument } from './pages/document.ts';

const USAGE = `Writes the types of the TypeScript client from the OpenAPI document, with the generator that .ci/clients installs.

  npm run client:types [-- --check]

  --check  writes nothing, and fails where the types would differ`;

const TOOLS = process.env.CLIENTS_NODE ?? join(ROOT, '.cache/clients-node');
const GENERATOR = join(TOOLS, 'node_modules/openapi-typescript/bin/cli.js');
const TYPES = join(ROOT, 'clients/typescript/src/openapi.ts');

await runCommand({ usage: USAGE, options: { check: FLAG } }, async ({ values: { check } }) => {
  const generated = await withScratch(generateTypes);
  if (!check) await writeFile(TYPES, generated);
  else if (generated !== (await readFile(TYPES, 'utf8')))
    throw new Error('The types of clients/typescript are not those of the document: npm run client:types');
});

async function generateTypes(directory: string): Promise<string> {
  if (!existsSync(GENERATOR)) throw new Error(`The generator is not in ${TOOLS}: install it with .ci/clients.`);
  const [documentPath, typesPath] = [join(directory, 'openapi.json'), join(directory, 'openapi.ts')];
  await writeFile(documentPath, JSON.stringify(clientDocument(await renderDocument())));
  const args = [GENERATOR, documentPath, '-o', typesPath, '--default-non-nullable=false'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return readFile(typesPath, 'utf8');
}
