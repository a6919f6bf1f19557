import { join } from 'node:path';
import { runCommand, TEXT, WrongUse } from './command/command.ts';
import { ROOT } from './command/root.ts';
import { loadLocalVars } from './dev/dev-vars.ts';
import { loadSessionKey, publicKeysOf, signSession, subjectOf } from './dev/session-key.ts';
import { EMAIL } from './dev/sign-in.ts';

const USAGE = `Prints a session token that the local server accepts, as the identity provider would give one to its user.

  npm run --silent token -- --email maria@example.com [--sub user_1] [--expires 1h]

  --email    the verified address of the user
  --sub      the identity provider's id of the user; by default one that is made from the address
  --expires  how long the token is good: 90s, 30m, 1h, 7d`;

await runCommand({ usage: USAGE, options: { email: TEXT, sub: TEXT, expires: TEXT } }, async ({ values }) => {
  const { email, sub, expires = '1h' } = values;
  if (email === undefined) throw new WrongUse('--email must be given.');
  if (!EMAIL.test(email)) throw new WrongUse(`--email must be an email address, not "${email}".`);
  if (!/^\d+ ?(s|m|h|d)$/.test(expires)) {
    throw new WrongUse(`--expires must be a number with s, m, h or d, such as 1h, not "${expires}".`);
  }
  const vars = await loadLocalVars(ROOT, process.env);
  const key = await loadSessionKey(join(ROOT, '.dev.session-key'));
  if (vars.SESSION_JWKS !== JSON.stringify(publicKeysOf(key))) {
    throw new Error(
      'The local server is configured with the keys of another identity provider; ask that one for a token.',
    );
  }
  const token = await signSession(key, {
    issuer: vars.SESSION_ISSUER as string,
    subject: sub ?? subjectOf(email),
    email,
    party: vars.SESSION_AUTHORIZED_PARTIES?.split(',')[0]?.trim() || undefined,
    expires,
  });
  console.log(token);
});
