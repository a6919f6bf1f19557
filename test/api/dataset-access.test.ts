import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { get, MASTER, post, send } from '../support/api.ts';
import { featuresOf, idsOf, newDataset, point } from '../support/datasets.ts';
import { newKey, person } from '../support/people.ts';
import { database } from '../support/sql.ts';
import { upload } from '../support/uploads.ts';
import { fromIdentity, userDeleted, userEvent } from '../support/webhooks.ts';

describe('who sees a dataset', () => {
  it('is its owner alone, and everybody once it is public', async () => {
    const [owner, other] = [await person(), await person()];
    const { id } = await newDataset(owner.session, { features: [{ geom: point(1, 1) }] });
    const paths = [`/v1/datasets/${id}`, `/v1/datasets/${id}?includeFeatures=yes`];
    for (const path of paths) {
      const { status, body } = await get(path, other.session);
      expect([status, body.code]).toEqual([404, 'dataset_not_found']);
    }
    expect(await featuresOf(other.session, id)).toEqual([]);
    expect((await send('PATCH', `/v1/datasets/${id}`, other.session, { name: 'y' })).status).toBe(404);
    expect((await get(`/v1/datasets/${id}`, MASTER)).status).toBe(200);

    await send('PATCH', `/v1/datasets/${id}`, owner.session, { is_public: true });
    for (const path of paths) expect((await get(path, other.session)).status).toBe(200);
    expect(await featuresOf(other.session, id)).toHaveLength(1);
    const refused = await send('PATCH', `/v1/datasets/${id}`, other.session, { name: 'y' });
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  });

  it.each(['private', 'accounts', 'everyone'] as const)('is known by its visibility: %s', async (visibility) => {
    const [owner, other, third] = [await person(), await person(), await person()];
    const { id } = (await upload(owner.session, 'a.geojson', JSON.stringify(point(1, 1)))).body.data;
    const [feature] = await featuresOf(owner.session, id);
    const { body } = await send('PATCH', `/v1/datasets/${id}`, owner.session, { visibility });
    expect(body.data).toMatchObject({ visibility, is_public: visibility !== 'private' });
    const key = async ({ session }: typeof owner, scopes?: string[]) => ({
      Authorization: `Bearer ${(await newKey(session, { scopes })).key}`,
    });
    const callers = {
      owner: owner.session,
      'key of the owner': await key(owner),
      administrator: MASTER,
      other: other.session,
      'key of another': await key(third, ['read:datasets']),
      nobody: {},
      'wrong scope': await key(other, ['read:boundaries']),
      garbage: { Authorization: 'Bearer garbage' },
    };
    const may = { private: 3, accounts: 5, everyone: 6 }[visibility];
    const refused = { other: 404, 'key of another': 404, nobody: 401, 'wrong scope': 403, garbage: 401 };
    const own = `/v1/datasets/${id}`;
    const list = `/v1/features/dataset/${id}`;
    const reads = [own, `${own}?includeFeatures=1`, `${own}/export`, `${own}/file`, list, `${list}?page=1`];
    for (const path of [...reads, `${list}?format=geojson`, `/v1/features/${feature.id}`, `/embed/datasets/${id}`]) {
      for (const [i, [caller, headers]] of Object.entries(callers).entries()) {
        const answer = await get(path, headers);
        const isEmbedded = path.startsWith('/embed');
        const isShown = isEmbedded ? visibility === 'everyone' && i < 6 : i < may;
        const isList = path.startsWith(list) && ['other', 'key of another'].includes(caller);
        const missing = isEmbedded && i < 6 ? 404 : refused[caller as keyof typeof refused];
        expect([path, caller, answer.status]).toEqual([path, caller, isShown || isList ? 200 : missing]);
        expect(answer.text.includes('"coordinates"')).toBe(isShown && path !== own);
        expect(answer.headers.get('Cache-Control')).toMatch(/^(private, no-(store|cache)|no-store)/);
        if (caller === 'nobody' && isShown) expect(answer.text).not.toContain(owner.email);
      }
    }
    const writes = [send('PATCH', own, {}, { name: 'x' }), send('POST', '/v1/features', {}, { dataset_id: id })];
    for (const { status } of await Promise.all(writes)) expect(status).toBe(401);
    for (const which of ['public', 'accounts', 'everyone', 'all']) {
      const listed = await get(`/v1/datasets?limit=100&visibility=${which}`, other.session);
      const isListed = visibility !== 'private' && [visibility, 'public', 'all'].includes(which);
      expect([which, idsOf(listed.body.data).includes(id)]).toEqual([which, isListed]);
    }
  });

  it('is told by what changed of is_public and visibility, when a whole record is sent back', async () => {
    const { session } = await person();
    const { id } = await newDataset(session, { is_public: true });
    const sent = async (change: object) => {
      const { body } = await get(`/v1/datasets/${id}`, session);
      return (await send('PATCH', `/v1/datasets/${id}`, session, { ...body.data, ...change })).body.data?.visibility;
    };
    expect(await sent({})).toBe('accounts');
    expect(await sent({ visibility: 'everyone' })).toBe('everyone');
    expect(await sent({ is_public: true })).toBe('everyone');
    expect(await sent({ is_public: false })).toBe('private');
    expect(await sent({ is_public: true })).toBe('accounts');
    expect(await sent({ visibility: 'private' })).toBe('private');
    const copied = await newDataset(session, { is_public: true, visibility: 'private' });
    expect(copied.visibility).toBe('private');
  });

  it('is everybody with an account, of what was public before there was a choice, until its owner chooses', async () => {
    const [owner, other] = [await person(), await person()];
    const { id } = await newDataset(owner.session, { is_public: true });
    const path = `/v1/datasets/${id}`;
    const before = sql`update datasets set open_to_everyone = null where id = ${id}`;
    const told = async () => {
      const { body } = await get(path, owner.session);
      return [body.data.visibility, body.data.visibility_chosen, (await get(path)).status];
    };
    expect(await told()).toEqual(['accounts', true, 401]);
    await database.execute(before);
    expect(await told()).toEqual(['accounts', false, 401]);
    expect((await get(path, other.session)).status).toBe(200);
    expect((await get(`/embed/datasets/${id}`)).status).toBe(404);
    await send('PATCH', path, owner.session, { name: 'Renamed' });
    expect(await told()).toEqual(['accounts', false, 401]);
    await send('PATCH', path, owner.session, { visibility: 'accounts' });
    expect(await told()).toEqual(['accounts', true, 401]);
    await database.execute(before);
    await send('PATCH', path, owner.session, { visibility: 'everyone' });
    expect(await told()).toEqual(['everyone', true, 200]);
  });

  it('without credentials sees at most 20 MiB, and nothing at the next request after it was closed', async () => {
    const { session } = await person();
    const { id } = (await upload(session, 'a.geojson', JSON.stringify(point(1, 1)))).body.data;
    await send('PATCH', `/v1/datasets/${id}`, session, { visibility: 'everyone' });
    const own = `/v1/datasets/${id}`;
    const list = `/v1/features/dataset/${id}`;
    const paths = [own, `${list}?limit=1`, `${own}?includeFeatures=1`, `${own}/export`, `${own}/file`, list];
    const seen = () => Promise.all(paths.map(async (path) => (await get(path)).status));
    const etag = (await get(`${own}/file`)).headers.get('ETag') ?? '';
    expect(await seen()).toEqual([200, 200, 200, 200, 200, 200]);
    const bytes = 20 * 1024 ** 2 + 1;
    await database.execute(sql`update datasets set feature_bytes = ${bytes}, file_bytes = ${bytes} where id = ${id}`);
    expect(await seen()).toEqual([200, 401, 401, 401, 401, 401]);
    await send('PATCH', own, session, { visibility: 'accounts' });
    expect(await seen()).toEqual([401, 401, 401, 401, 401, 401]);
    expect((await get(`${own}/file`, { 'If-None-Match': etag })).status).toBe(401);
  });

  it('does not learn the address of its owner', async () => {
    const [owner, other] = [await person(), await person()];
    const { id } = await newDataset(owner.session, { is_public: true });
    expect((await get(`/v1/datasets/${id}`, owner.session)).body.data.user_email).toBe(owner.email);
    expect((await get(`/v1/datasets/${id}`, other.session)).body.data.user_email).toBeNull();
  });

  it('without credentials does not learn who the owner is, nor the key of the file', async () => {
    const { session } = await person();
    const { id } = (await upload(session, 'a.geojson', JSON.stringify(point(1, 1)))).body.data;
    const own = await send('PATCH', `/v1/datasets/${id}`, session, { visibility: 'everyone' });
    expect(own.body.data).toMatchObject({ user_id: expect.any(String), storage_ref: expect.any(String) });
    const { status, body } = await get(`/v1/datasets/${id}`);
    expect([status, body.data]).toMatchObject([200, { id, user_id: null, user_email: null, storage_ref: null }]);
  });

  it('is whoever has the address that the administrator gave', async () => {
    const owner = await person();
    const { id } = await newDataset(MASTER, { user_email: owner.email.toUpperCase() });
    expect((await get(`/v1/datasets/${id}`, owner.session)).body.data).toMatchObject({ user_id: null });
    expect((await send('PATCH', `/v1/datasets/${id}`, owner.session, { name: 'mine' })).status).toBe(200);
  });

  it('is hidden from others when its owner has left, and not from the administrator', async () => {
    const [owner, other] = [await person(), await person()];
    const input = { is_public: true, features: [{ geom: point(1, 1) }] };
    const datasets = [
      await newDataset(owner.session, input),
      await newDataset(MASTER, { ...input, user_email: owner.email }),
    ];
    const seen = async () => {
      const lists = ['public', 'all'].map((which) =>
        get(`/v1/datasets?limit=100&visibility=${which}`, other.session).then(({ body }) => idsOf(body.data)),
      );
      const [open, all] = (await Promise.all(lists)) as [string[], string[]];
      const found: boolean[][] = [];
      for (const { id } of datasets) {
        const { status } = await get(`/v1/datasets/${id}`, other.session);
        const features = await featuresOf(other.session, id);
        found.push([status === 200, features.length === 1, open.includes(id), all.includes(id)]);
      }
      return found;
    };
    const [yes, no] = [Array(4).fill(true), Array(4).fill(false)];
    expect(await seen()).toEqual([yes, yes]);
    await fromIdentity(userDeleted(owner.subject));
    expect(await seen()).toEqual([no, no]);
    for (const { id } of datasets) expect((await get(`/v1/datasets/${id}`, MASTER)).status).toBe(200);
    const listed = await get(`/v1/datasets?user_email=${owner.email}&visibility=public`, MASTER);
    expect(idsOf(listed.body.data).sort()).toEqual(idsOf(datasets).sort());
    // They are to be erased with their owner: somebody who has the address later inherits none.
    await fromIdentity(userEvent('user.created', { id: `user_${crypto.randomUUID()}`, email: owner.email }));
    expect(await seen()).toEqual([no, no]);
  });

  it('asks for the scopes of a key', async () => {
    const { session } = await person();
    const { id } = await newDataset(session);
    const reader = { Authorization: `Bearer ${(await newKey(session, { scopes: ['read:datasets'] })).key}` };
    const stranger = { Authorization: `Bearer ${(await newKey(session, { scopes: ['read:boundaries'] })).key}` };
    expect((await get(`/v1/datasets/${id}`, reader)).status).toBe(200);
    expect((await send('PATCH', `/v1/datasets/${id}`, reader, { name: 'y' })).body.code).toBe('missing_scope');
    expect((await get(`/v1/datasets/${id}`, stranger)).body).toMatchObject({
      code: 'missing_scope',
      scope: 'read:datasets',
    });
  });
});

describe('owners', () => {
  it('can only be named by the administrator, unless it is the caller', async () => {
    const [me, other] = [await person(), await person()];
    const { user_id: mine } = await newDataset(me.session);
    const { user_id: theirs } = await newDataset(other.session);
    for (const input of [{ user_id: theirs }, { user_email: other.email }]) {
      const created = await post('/v1/datasets', { name: 'x', ...input }, me.session);
      expect([created.status, created.body.code]).toEqual([422, 'owner_not_allowed']);
    }
    expect((await newDataset(me.session, { user_id: mine, user_email: me.email })).user_id).toBe(mine);
    expect((await newDataset(MASTER, { user_id: theirs })).user_id).toBe(theirs);
    const unknown = await post('/v1/datasets', { name: 'x', user_id: crypto.randomUUID() }, MASTER);
    expect([unknown.status, unknown.body.code]).toEqual([422, 'owner_not_found']);
  });
});

describe('handing a dataset over', () => {
  it('leaves the former owner out, whichever way either is named', async () => {
    const [first, second] = [await person(), await person()];
    const { user_id: firstId } = await newDataset(first.session);
    const { user_id: secondId } = await newDataset(second.session);
    const owners = async (id: string) =>
      Promise.all(
        [first, second].map(async ({ session }) => (await get(`/v1/datasets/${id}`, session)).status === 200),
      );
    const hand = (id: string, to: object) => send('PATCH', `/v1/datasets/${id}`, MASTER, to);
    const { id } = await newDataset(first.session);
    await hand(id, { user_email: second.email });
    expect(await owners(id)).toEqual([false, true]);
    await hand(id, { user_id: firstId });
    expect(await owners(id)).toEqual([true, false]);
    await hand(id, { name: 'x' });
    expect(await owners(id)).toEqual([true, false]);
    await hand(id, { user_id: firstId, user_email: second.email });
    expect(await owners(id)).toEqual([true, true]);
    await hand(id, { user_id: secondId, user_email: null });
    expect(await owners(id)).toEqual([false, true]);
    const fields = { dataset_id: id, feature_storage: 'features_and_r2', user_email: first.email };
    expect((await upload(MASTER, 'a.geojson', JSON.stringify(point(1, 1)), fields)).status).toBe(200);
    expect(await owners(id)).toEqual([true, false]);
  });
});
