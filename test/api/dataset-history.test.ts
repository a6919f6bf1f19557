import { describe, expect, it } from 'vitest';
import { historyOf } from '../support/admin.ts';
import { type Body, MASTER, post, send } from '../support/api.ts';
import { newDataset, point } from '../support/datasets.ts';
import { newKey, person } from '../support/people.ts';
import { upload } from '../support/uploads.ts';

const entryOf = ({ action, subject, actor, details }: Body) => [action, subject.type, actor.kind, details];

describe('the audit log tells of a dataset', () => {
  it('that it was created, changed, handed over and deleted, and by whom', async () => {
    const [me, other] = [await person(), await person()];
    const { id, user_id: mine } = await newDataset(me.session, {
      features: [{ geom: point(1, 1), properties: 'secret' }],
    });
    const { user_id: theirs } = await newDataset(other.session);
    const { key, id: keyId } = await newKey(me.session);
    const change = { description: 'secret', geometry_type: 'POINT', is_public: true };
    await send('PATCH', `/v1/datasets/${id}`, { Authorization: `Bearer ${key}` }, change);
    await send('PATCH', `/v1/datasets/${id}`, other.session, { name: 'not mine' });
    await send('PATCH', `/v1/datasets/${id}`, MASTER, { user_id: theirs });
    await send('DELETE', `/v1/datasets/${id}`, me.session);
    await send('DELETE', `/v1/datasets/${id}`, other.session);
    const history = await historyOf(id);
    const size = JSON.stringify(point(1, 1)).length + '"secret"'.length;
    expect(history.map(entryOf)).toEqual([
      ['dataset.created', 'dataset', 'session', { feature_count: 1, size_bytes: size }],
      [
        'dataset.updated',
        'dataset',
        'key',
        {
          changed: ['description', 'visibility', 'geometry_type'],
          visibility: { from: 'private', to: 'accounts' },
        },
      ],
      [
        'dataset.updated',
        'dataset',
        'master',
        {
          changed: ['user_id', 'user_email'],
          owner: { from: { user_id: mine, user_email: null }, to: { user_id: theirs, user_email: null } },
        },
      ],
      ['dataset.deleted', 'dataset', 'session', { feature_count: 1, size_bytes: size }],
    ]);
    expect(history.map(({ actor }) => [actor.user_id, actor.key_id])).toEqual([
      [mine, null],
      [mine, keyId],
      [null, null],
      [theirs, null],
    ]);
    for (const { request_id } of history) expect(request_id).toEqual(expect.any(String));
    expect(JSON.stringify(history)).not.toContain('secret');
  });

  it('that it was uploaded and replaced', async () => {
    const { session } = await person();
    const content = JSON.stringify(point(1, 1));
    const { id } = (await upload(session, 'a.geojson', content)).body.data;
    const fields = { dataset_id: id, feature_storage: 'r2_only' };
    await upload(session, 'b.geojson', 'anything', fields);
    await upload((await person()).session, 'c.geojson', content, fields);
    expect((await historyOf(id)).map(entryOf)).toEqual([
      ['dataset.uploaded', 'dataset', 'session', { feature_count: 1, size_bytes: content.length }],
      ['dataset.replaced', 'dataset', 'session', { feature_count: 0, size_bytes: 8 }],
    ]);
  });

  it('what became of its features, and nothing of what was refused', async () => {
    const { session } = await person();
    const [from, to] = [await newDataset(session), await newDataset(session)];
    const { body } = await post(
      '/v1/features',
      { dataset_id: from.id, geom: point(1, 1), properties: 'secret' },
      session,
    );
    const feature = `/v1/features/${body.data.id}`;
    await send('PATCH', feature, session, { properties: 'secret', geom: point(2, 2) });
    await send('PATCH', feature, (await person()).session, { properties: 1 });
    await send('PATCH', feature, session, { dataset_id: crypto.randomUUID() });
    await send('PATCH', feature, session, { dataset_id: to.id });
    await send('DELETE', feature, session);
    await send('DELETE', feature, session);
    const it = { feature_id: body.data.id };
    const moved = { ...it, changed: [], from: from.id, to: to.id };
    const [left, came] = [await historyOf(from.id), await historyOf(to.id)];
    expect(left.slice(1).map(entryOf)).toEqual([
      ['feature.created', 'dataset', 'session', it],
      ['feature.updated', 'dataset', 'session', { ...it, changed: ['geom', 'properties'] }],
      ['feature.updated', 'dataset', 'session', moved],
    ]);
    expect(came.slice(1).map(entryOf)).toEqual([
      ['feature.updated', 'dataset', 'session', moved],
      ['feature.deleted', 'dataset', 'session', it],
    ]);
    expect(JSON.stringify([left, came])).not.toContain('secret');
  });
});
