import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A checkout of its own: the command writes beside itself. */
let checkout: string;

beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'pgds-checkout-'));
  for (const part of [
    'scripts/token.ts',
    'scripts/command',
    'scripts/database',
    'scripts/dev',
    'src/env.ts',
    'src/errors.ts',
    'src/deadline.ts',
    'package.json',
  ]) {
    await cp(join(ROOT, part), join(checkout, part), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
});
afterEach(() => rm(checkout, { recursive: true, force: true }));

function token(args: string[], environment: Record<string, string> = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SESSION_'));
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(checkout, 'scripts/token.ts'), ...args],
      { env: { ...Object.fromEntries(inherited), ...environment } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const devVars = async () => parseEnv(await readFile(join(checkout, '.dev.vars'), 'utf8'));

/** What a token says, by the keys and the issuer that the local server is configured with. */
async function verified(printed: string) {
  const { SESSION_JWKS = '', SESSION_ISSUER = '' } = await devVars();
  return (await jwtVerify(printed.trim(), createLocalJWKSet(JSON.parse(SESSION_JWKS)), { issuer: SESSION_ISSUER }))
    .payload;
}

describe('npm run token', () => {
  it('prints a session that the local server accepts, the same person for the same address', async () => {
    const first = await token(['--email', 'maria@example.com']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const payload = await verified(first.stdout);
    expect(payload).toMatchObject({ email: 'maria@example.com', email_verified: true });
    expect(payload.sub).toMatch(/^user_[0-9a-f]{16}$/);
    expect((payload.exp ?? 0) - Date.now() / 1000).toBeGreaterThan(3500);
    expect((payload.exp ?? 0) - Date.now() / 1000).toBeLessThanOrEqual(3600);
    expect(payload.azp).toBeUndefined();

    const vars = await devVars();
    const key = await readFile(join(checkout, '.dev.session-key'), 'utf8');
    expect(vars.SESSION_JWKS).not.toContain(JSON.parse(key).d);
    expect(vars.MASTER_TOKEN).toHaveLength(43);
    for (const file of ['.dev.vars', '.dev.session-key']) {
      expect([file, (await stat(join(checkout, file))).mode & 0o777]).toEqual([file, 0o600]);
    }

    const again = await verified((await token(['--email', 'Maria@Example.com'])).stdout);
    expect(again.sub).toBe(payload.sub);
    expect(await devVars()).toEqual(vars);
    expect(await readFile(join(checkout, '.dev.session-key'), 'utf8')).toBe(key);

    const parties = { SESSION_AUTHORIZED_PARTIES: 'https://dashboard.example, https://other.example' };
    const other = await token(['--email', 'jose@example.com', '--sub', 'user_1', '--expires', '90s'], parties);
    const claims = await verified(other.stdout);
    expect(claims).toMatchObject({ sub: 'user_1', email: 'jose@example.com', azp: 'https://dashboard.example' });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(90);
  });

  it('keeps what is configured', async () => {
    await writeFile(join(checkout, '.dev.vars'), '# mine\nMASTER_TOKEN="my-own-master-token"\nFREE_TIER_RPM=5');
    expect((await token(['--email', 'maria@example.com'])).code).toBe(0);
    expect(await readFile(join(checkout, '.dev.vars'), 'utf8')).toMatch(
      /^# mine\nMASTER_TOKEN="my-own-master-token"\n/,
    );
    expect(await devVars()).toMatchObject({ MASTER_TOKEN: 'my-own-master-token', FREE_TIER_RPM: '5' });
  });

  it('makes none where the server trusts another identity provider', async () => {
    const { code, stdout, stderr } = await token(['--email', 'maria@example.com'], {
      SESSION_JWKS_URL: 'https://identity.example/jwks',
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('another identity provider');
  });

  it.each([
    [[], 'npm run --silent token'],
    [['--email', 'maria'], '--email must be an email address, not "maria"'],
    [['--email', 'maria@example.com', '--expires', 'soon'], '--expires must be a number with s, m, h or d'],
    [['--email', 'maria@example.com', '--expires', '-1h'], 'npm run --silent token'],
    [['--email', 'maria@example.com', '--admin'], "Unknown option '--admin'"],
    [['maria@example.com'], 'npm run --silent token'],
  ])('explains itself: %j', async (args, sentence) => {
    const { code, stdout, stderr } = await token(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('    at ');
  });
});
