import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadLocalVars } from './dev/dev-vars.ts';
import { loadSessionKey, publicKeysOf, signSession, subjectOf } from './dev/session-key.ts';
import { EMAIL } from './dev/sign-in.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const USAGE = `Prints a session token that the local server accepts, as the identity provider would give one to its user.

  npm run --silent token -- --email maria@example.com [--sub user_1] [--expires 1h]

  --email    the verified address of the user
  --sub      the identity provider's id of the user; by default one that is made from the address
  --expires  how long the token is good: 90s, 30m, 1h, 7d`;

async function main(args: string[]): Promise<number> {
  let values: { email?: string; sub?: string; expires?: string; help?: boolean };
  try {
    const text = { type: 'string' } as const;
    const options = { email: text, sub: text, expires: text, help: { type: 'boolean' } } as const;
    ({ values } = parseArgs({ args, options }));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  const { email, sub, expires = '1h', help } = values;
  if (help || email === undefined) {
    console.error(USAGE);
    return help ? 0 : 2;
  }
  if (!EMAIL.test(email)) {
    console.error(`--email must be an email address, not "${email}".`);
    return 2;
  }
  if (!/^\d+ ?(s|m|h|d)$/.test(expires)) {
    console.error(`--expires must be a number with s, m, h or d, such as 1h, not "${expires}".`);
    return 2;
  }
  const vars = await loadLocalVars(ROOT, process.env);
  const key = await loadSessionKey(join(ROOT, '.dev.session-key'));
  if (vars.SESSION_JWKS !== JSON.stringify(publicKeysOf(key))) {
    console.error(
      'The local server is configured with the keys of another identity provider; ask that one for a token.',
    );
    return 1;
  }
  const token = await signSession(key, {
    issuer: vars.SESSION_ISSUER as string,
    subject: sub ?? subjectOf(email),
    email,
    party: vars.SESSION_AUTHORIZED_PARTIES?.split(',')[0]?.trim() || undefined,
    expires,
  });
  console.log(token);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
