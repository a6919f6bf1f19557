import { describe, expect, it } from 'vitest';
import { historyOf, userOf } from '../support/admin.ts';
import { type Body, get, MASTER } from '../support/api.ts';
import { fromEmail, fromIdentity, minutes, newDeliveryId, newId, recorded, userEvent } from '../support/webhooks.ts';

describe('a delivery', () => {
  it('takes effect once, of a hundred at the same time', async () => {
    const user = newId('user');
    const id = newDeliveryId();
    // Each would have an effect by itself. The embedded database does one thing at a time, so the service may give up
    // waiting; like any sender, this one then tries again after a while of its own, or all would come at once again.
    const send = async (i: number, tries = 1): Promise<number> => {
      const { status } = await fromIdentity(userEvent('user.created', { id: user, updatedAt: minutes(i) }), { id });
      if (status !== 503) return status;
      await scheduler.wait(tries * 5000 * Math.random());
      return send(i, tries + 1);
    };
    const statuses = await Promise.all(Array.from({ length: 100 }, (_, i) => send(i)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await historyOf((await userOf(user)).id)).toHaveLength(1);
    expect(await recorded(id)).toMatchObject({ type: 'user.created', source: 'identity', note: null });
  });

  it('has no second effect, even if it says something else the second time', async () => {
    const user = newId('user');
    const id = newDeliveryId();
    await fromIdentity(userEvent('user.created', { id: user, name: 'First', updatedAt: minutes(1) }), { id });
    const again = await fromIdentity(userEvent('user.updated', { id: user, name: 'Second', updatedAt: minutes(2) }), {
      id,
    });
    expect([again.status, again.body.data]).toEqual([200, { received: true }]);
    expect((await userOf(user)).name).toBe('First');
  });

  it('of the one provider is not mistaken for one of the other', async () => {
    const id = newDeliveryId();
    await fromIdentity({ type: 'session.created', data: {} }, { id });
    await fromEmail({ type: 'email.sent', data: {} }, { id });
    const { body } = await get(`/v1/admin/webhook-events?delivery_id=${id}&order=asc`, MASTER);
    expect(body.data.map(({ source, type }: Body) => [source, type])).toEqual([
      ['identity', 'session.created'],
      ['email', 'email.sent'],
    ]);
  });

  it('of an unknown type is recorded', async () => {
    const id = newDeliveryId();
    const event = { type: 'waitlistEntry.created', timestamp: minutes(3), data: { anything: [1] } };
    expect((await fromIdentity(event, { id })).status).toBe(200);
    expect(await recorded(id)).toMatchObject({
      type: 'waitlistEntry.created',
      event_at: new Date(minutes(3)).toISOString(),
      note: null,
      bytes: JSON.stringify(event).length,
      body_kept: false,
    });
  });

  it('has its body kept only if its type has an effect or was meant to have one', async () => {
    const kept = async (send: typeof fromIdentity, event: unknown) => {
      const id = newDeliveryId();
      await send(event, { id });
      return (await recorded(id)).body_kept;
    };
    expect(await kept(fromIdentity, userEvent('user.created', { id: newId('user') }))).toBe(true);
    expect(await kept(fromIdentity, { type: 'user.updated', data: {} })).toBe(true);
    expect(await kept(fromIdentity, { type: 'email.created', data: { otp_code: '123456' } })).toBe(false);
    expect(await kept(fromEmail, { type: 'email.bounced', data: { to: ['nobody@example.com'] } })).toBe(true);
    expect(await kept(fromEmail, { type: 'email.sent', data: { to: ['nobody@example.com'] } })).toBe(false);
  });

  it.each([
    ['no JSON', 'hello', null, /^body: /],
    ['no object', '[1,2]', null, /^body: /],
    ['no type', '{"data":{}}', null, /^body\.type: /],
    ['a type that every object has', '{"type":"constructor","data":{}}', 'constructor', null],
    ['a NUL', '{"type":"user.created"}\0', null, /^body: /],
    ['no data', '{"type":"user.created"}', 'user.created', /^data: /],
    ['no id', '{"type":"user.created","data":{"first_name":"Ana"}}', 'user.created', /^data\.id: /],
    ['an id of another type', '{"type":"user.deleted","data":{"id":7}}', 'user.deleted', /^data\.id: /],
    ['an id that is none', '{"type":"user.deleted","data":{"id":"\\u0000"}}', 'user.deleted', /^data\.id: /],
    [
      'a name of another type',
      '{"type":"user.updated","data":{"id":"user_x","first_name":{}}}',
      'user.updated',
      /^data\.first_name: /,
    ],
    [
      'a membership without a user',
      '{"type":"organizationMembership.created","data":{"organization":{"id":"org_x"}}}',
      'organizationMembership.created',
      /^data\.public_user_data: /,
    ],
  ])('that holds %s is recorded with a note, and answered with 200', async (_, text, type, note) => {
    const id = newDeliveryId();
    expect((await fromIdentity(text, { id })).status).toBe(200);
    const event = await recorded(id);
    expect(event.type).toBe(type);
    if (note) expect(event.note).toMatch(note);
    else expect(event.note).toBeNull();
  });

  it.each(['year 10000', -1, 1e300, {}])('with the time %o is treated as one without a time', async (at) => {
    const user = newId('user');
    const event = userEvent('user.created', { id: user });
    expect((await fromIdentity({ ...event, timestamp: at, data: { ...event.data, updated_at: at } })).status).toBe(200);
    expect((await userOf(user)).status).toBe('active');
  });
});
