import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, scriptOf } from './root.ts';

/**
 * Builds a Worker and the pages as a deployment would, and returns its script.
 *
 * @param entry its main module, a path in the repository
 * @param readable whether functions keep their names
 * @throws Error with the output of wrangler
 */
export async function buildWorker({ entry = 'src/worker.ts', readable = false } = {}): Promise<string> {
  const wrangler = scriptOf('wrangler', 'bin/wrangler.js');
  const out = await mkdtemp(join(tmpdir(), 'pgds-build-'));
  try {
    const args = [wrangler, 'deploy', entry, '--dry-run', '--outdir', out];
    if (readable) args.push('--minify=false');
    await promisify(execFile)(process.execPath, args, { cwd: ROOT }).catch(({ stdout, stderr }) => {
      throw new Error(`The Worker does not build.\n${stdout}${stderr}`);
    });
    return await readFile(join(out, 'worker.js'), 'utf8');
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}
