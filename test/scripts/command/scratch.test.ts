import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const SCRATCH = new URL('../../../scripts/command/scratch.ts', import.meta.url);

/** A directory is not empty where a thread writes into it while it is removed. */
const INTERRUPTED = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  fs.rmSync = (path) => { throw Object.assign(new Error('ENOTEMPTY, Directory not empty: ' + path), { code: 'ENOTEMPTY' }); };
  syncBuiltinESMExports();
  const { withScratch } = await import('${SCRATCH}');
  await withScratch(async (scratch) => {
    process.stdout.write(scratch);
    process.kill(process.pid, 'SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  });
`;

it('a process that is interrupted ends without a stack where its directory can not be removed', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', INTERRUPTED], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [scratch, printed, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  await rm(scratch, { recursive: true });
  expect([code, printed]).toEqual([130, '']);
});
