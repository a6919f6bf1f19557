import { expect, it } from 'vitest';
import { verify } from '../../../scripts/deploy/verify.ts';

const COMMIT = '626f6951f0c4be0a9f1a1d0f2a1f6f7f6c0a8a55';
const ADDRESS = 'https://geo.example';

/** An address that answers with another version first. */
function address(versions: readonly (string | Error)[]) {
  const left = [...versions];
  return async (url: string) => {
    if (new URL(url).pathname !== '/version') return { status: 200, body: {} };
    const version = left.length > 1 ? left.shift() : left[0];
    if (version instanceof Error) throw version;
    return { status: 200, body: { commitFull: version } };
  };
}

it('waits until the deployed version answers', async () => {
  const ask = address([new Error('no such host'), 'the one before', COMMIT]);
  expect(await verify(ADDRESS, { commit: COMMIT, ask, pollMs: 1 })).toEqual([]);
});

it('says which version answers in its place', async () => {
  const ask = address(['the one before']);
  expect(await verify(ADDRESS, { commit: COMMIT, ask, pollMs: 1 })).toEqual([
    `/version says the one before, not ${COMMIT}.`,
  ]);
});
