import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './command/root.ts';
import { buildWorker } from './command/worker-build.ts';
import { FOLDER } from './command/worker-modules.ts';

// Builds the Worker into dist/worker/, which `npm run deploy` uploads: worker.js and the modules that it imports.

const { modules } = await buildWorker();
const folder = join(ROOT, FOLDER);
// A deployment uploads all that is there.
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(modules)) await writeFile(join(folder, name), text);
