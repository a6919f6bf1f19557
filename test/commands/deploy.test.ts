import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

// `npm run deploy -- --dry-run` as docs/deploy.md leads there, with wrangler, in a checkout of its own. Only Cloudflare is another.

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let directory: string;
let checkout: string;
let cloudflare: Server;
const asked: string[] = [];

const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8', stdio: 'pipe' });
const commit = (message: string) => {
  git('add', '.');
  git('-c', 'user.name=Operator', '-c', 'user.email=operator@example.com', 'commit', '-qm', message);
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pgds-deploy-'));
  checkout = join(directory, 'checkout');
  const listed = [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    ...['src', 'pages', 'scripts', 'server'],
  ];
  const files = execFileSync('git', [...listed, 'data', 'clients', ':(glob)*'], { cwd: ROOT, encoding: 'utf8' });
  for (const file of files.split('\0').filter(Boolean)) {
    await mkdir(dirname(join(checkout, file)), { recursive: true });
    await cp(join(ROOT, file), join(checkout, file)).catch(() => undefined);
  }
  await symlink(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  git('init', '-q');
  await writeFile(join(checkout, '.git/info/exclude'), 'node_modules\n');
  commit('The checkout');

  cloudflare = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const result = ['DATABASE_URL', 'MASTER_TOKEN', 'TILE_SESSION_SECRET'].map((name) => ({
      name,
      type: 'secret_text',
    }));
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ success: true, errors: [], messages: [], result }));
  }).listen(0, '127.0.0.1');
  await once(cloudflare, 'listening');
});
afterAll(async () => {
  cloudflare?.close();
  await rm(directory, { recursive: true, force: true });
});

function dryRun(environment: Record<string, string>): Promise<{ code: unknown; said: string }> {
  const { PATH = '' } = process.env;
  const DATABASE_URL = 'postgresql://user:password@ep-calm-sea-1.neon.tech/neondb?sslmode=require';
  const options = { cwd: checkout, env: { PATH, HOME: directory, DATABASE_URL, ...environment } };
  const args = ['--disable-warning=ExperimentalWarning', 'scripts/deploy.ts', '--env', 'production', '--dry-run'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });
}

it('a dry run says what is missing, and builds once it is there, and changes nothing', async () => {
  const stranger = await dryRun({});
  expect(stranger).toEqual({ code: 1, said: expect.stringContaining('run npx wrangler login.') });
  expect(stranger.said).not.toContain('Command failed');

  const operator = {
    CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${(cloudflare.address() as AddressInfo).port}`,
    CLOUDFLARE_API_TOKEN: 'token',
    CLOUDFLARE_ACCOUNT_ID: 'account',
  };
  expect(await dryRun(operator)).toEqual({ code: 1, said: expect.stringContaining('SESSION_ISSUER is not set') });

  // Step 4 of the guide.
  const path = join(checkout, 'wrangler.toml');
  const issuer = 'https://clerk.example.ph';
  const variables = `SESSION_ISSUER = "${issuer}"\nSESSION_JWKS_URL = "${issuer}/.well-known/jwks.json"\n`;
  const toml = await readFile(path, 'utf8');
  await writeFile(
    path,
    toml.replace('[env.production.vars]\n', (heading) => heading + variables),
  );
  expect((await dryRun(operator)).said).toContain('There are changes that are not committed');
  commit('Set the variables of production');

  const { code, said } = await dryRun(operator);
  expect([code, said]).toEqual([0, expect.stringContaining('--dry-run: exiting now.')]);
  expect(said).toContain('scripts/migrate.ts');
  expect(said).toMatch(/Total Upload: [\d.]+ KiB/);
  const attached = [...said.matchAll(/│ (\S+\.js) +│ esm +│/g)].map(([, name]) => name);
  const built = await readdir(join(checkout, 'dist/worker'));
  expect(['worker.js', ...attached].sort()).toEqual(built.sort());
  expect(said).not.toContain('password');
  const secrets = 'GET /accounts/account/workers/scripts/philippine-geographic-data-service-production/secrets';
  expect(new Set(asked)).toEqual(new Set([secrets]));
  expect(git('status', '--porcelain')).toBe('');
});
