import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import type { JWTPayload } from 'jose';
import { describe, expect, inject, it } from 'vitest';
import { detailOf, historyOf, userOf } from '../support/admin.ts';
import { get, MASTER, patch, post, send, workerWith } from '../support/api.ts';
import { bearer, newKey, person, sessionToken } from '../support/people.ts';
import { setKey } from '../support/sql.ts';
import { fromIdentity, minutes, newDeliveryId, newId, userDeleted, userEvent } from '../support/webhooks.ts';

describe('user.created', () => {
  it('creates a profile, which the session of the same user then uses', async () => {
    const id = newId('user');
    const email = `${id}@Example.COM`;
    await fromIdentity(userEvent('user.created', { id, email, name: 'María Santos' }));
    const user = await userOf(id);
    expect(user).toMatchObject({
      email: email.toLowerCase(),
      name: 'María Santos',
      status: 'active',
      is_admin: false,
      email_status: null,
    });
    const key = await newKey(bearer(await sessionToken({ sub: id })));
    expect([key.user_id, key.user_email]).toEqual([user.id, email.toLowerCase()]);
  });

  it('completes the profile that a session has created', async () => {
    const { subject, session } = await person();
    const key = await newKey(session);
    // The session is not newer than the event: it was issued before, in whole seconds.
    await fromIdentity(
      userEvent('user.created', { id: subject, email: `${subject}@new.example`, updatedAt: Date.now() }),
    );
    const user = await userOf(subject);
    expect([user.id, user.email, user.name]).toEqual([key.user_id, `${subject}@new.example`, 'Maria Santos']);
  });

  it.each([
    ['is not verified', { email: 'unverified@example.com', verified: false }],
    ['is not there', { email: null }],
    ['is none', { email: 'no address' }],
  ])('stores no address where the primary one %s', async (_, facts) => {
    const id = newId('user');
    await fromIdentity(userEvent('user.created', { id, ...facts }));
    expect((await userOf(id)).email).toBeNull();
  });

  it('removes characters from names that can not be shown or stored', async () => {
    const id = newId('user');
    await fromIdentity(userEvent('user.created', { id, name: 'Ju\u0000an\ud800 Cruz' }));
    expect((await userOf(id)).name).toBe('Ju an\ufffd Cruz');
  });
});

describe('user.deleted', () => {
  it("stops the user's keys and sessions on the next request, and says so in the log", async () => {
    const { subject, session, email } = await person();
    await fromIdentity(userEvent('user.created', { id: subject, email }));
    const [first, second] = [await newKey(session), await newKey(session)];
    expect((await get('/v1/regions', bearer(first.key))).status).toBe(200);
    await fromIdentity(userDeleted(subject));
    for (const { key } of [first, second]) {
      const { status, body } = await get('/v1/regions', bearer(key));
      expect([status, body.code]).toEqual([401, 'api_key_revoked']);
    }
    const { status, body } = await get('/v1/api-keys', session);
    expect([status, body.code]).toEqual([401, 'account_deleted']);
    const user = await userOf(subject);
    expect(user.status).toBe('deleted');
    const story = (await historyOf(user.id)).map(({ action, actor }) => [action, actor.kind]);
    expect(story).toEqual([
      ['user.created', 'webhook'],
      ['user.deleted', 'webhook'],
    ]);
    const keyStory = (await historyOf(first.id)).map(({ action, actor, details }) => [
      action,
      actor.kind,
      details.because,
    ]);
    expect(keyStory).toEqual([
      ['api_key.created', 'session', undefined],
      ['api_key.revoked', 'webhook', 'user.deleted'],
    ]);
    expect((await detailOf(subject)).api_keys).toEqual({ total: 2, active: 0 });
  });

  it('is remembered of an unknown user: neither a session nor an older event creates their profile', async () => {
    const { subject, session } = await person();
    await fromIdentity(userDeleted(subject, minutes(5)));
    expect((await get('/v1/api-keys', session)).body.code).toBe('account_deleted');
    await fromIdentity(userEvent('user.created', { id: subject, updatedAt: minutes(4) }));
    expect((await userOf(subject)).status).toBe('deleted');
  });

  it('is not blocked by an event that claims to be years ahead', async () => {
    const id = newId('user');
    await fromIdentity(userEvent('user.created', { id, updatedAt: Date.now() + 10 * 365 * 86_400_000 }));
    await fromIdentity(userDeleted(id, Date.now() + 6 * 60_000));
    expect((await userOf(id)).status).toBe('deleted');
  });

  it('wins over another event of the same moment', async () => {
    const id = newId('user');
    await fromIdentity(userDeleted(id, minutes(5)));
    await fromIdentity(userEvent('user.updated', { id, updatedAt: minutes(5), sentAt: minutes(6) }));
    expect((await userOf(id)).status).toBe('deleted');
    await fromIdentity(userEvent('user.updated', { id: `${id}2`, updatedAt: minutes(5), sentAt: minutes(6) }));
    await fromIdentity(userDeleted(`${id}2`, minutes(5)));
    expect((await userOf(`${id}2`)).status).toBe('deleted');
  });

  it('takes administration away for good', async () => {
    const { subject, session } = await person();
    await get('/v1/api-keys', session);
    const { id } = await userOf(subject);
    await patch(`/v1/admin/users/${id}`, { is_admin: true });
    await fromIdentity(userDeleted(subject, minutes(1)));
    await fromIdentity(userEvent('user.updated', { id: subject, updatedAt: minutes(2) }));
    expect(await userOf(subject)).toMatchObject({ status: 'active', is_admin: false });
  });
});

describe('somebody who was deleted and is there again', () => {
  it('gets back none of their keys, not even one that was made while they went', async () => {
    const { subject, session } = await person();
    const [first, late] = [await newKey(session), await newKey(session)];
    await fromIdentity(userDeleted(subject, minutes(1)));
    await setKey(late.id, sql`revoked_at = null`);
    const again = newDeliveryId();
    await fromIdentity(userEvent('user.updated', { id: subject, updatedAt: minutes(2) }), { id: again });
    expect((await userOf(subject)).status).toBe('active');
    for (const { key } of [first, late])
      expect((await get('/v1/regions', bearer(key))).body.code).toBe('api_key_revoked');
    expect((await historyOf(late.id)).at(-1)).toMatchObject({
      action: 'api_key.revoked',
      actor: { kind: 'webhook' },
      details: { because: 'user.deleted', delivery: again },
    });
    expect((await historyOf(first.id)).map(({ action }) => action)).toEqual(['api_key.created', 'api_key.revoked']);
    const next = await newKey(session);
    await fromIdentity(userEvent('user.updated', { id: subject, updatedAt: minutes(3) }));
    await fromIdentity(userEvent('user.updated', { id: subject, updatedAt: minutes(0) }));
    expect((await get('/v1/regions', bearer(next.key))).status).toBe(200);
  });
});

describe('the verified address of a session', () => {
  /** The address of a profile after a request with a session that was issued at a minute, or now. */
  const seen = async (subject: string, claims: object, ...issued: (number | undefined)[]) => {
    const [minute] = issued;
    const iat = minute === undefined ? undefined : minutes(minute) / 1000;
    const given = { sub: subject, ...claims, ...(issued.length === 0 ? {} : { iat }) } as JWTPayload;
    await get('/v1/api-keys', bearer(await sessionToken(given)));
    return (await userOf(subject)).email;
  };
  const verified = (email: string) => ({ email, email_verified: true });

  it('becomes that of a profile without any event, and changes with the session', async () => {
    const subject = newId('user');
    expect(await seen(subject, {})).toBeNull();
    expect(await seen(subject, { email: `${subject}@example.com` })).toBeNull();
    expect(await seen(subject, verified(`${subject}@Example.com`))).toBe(`${subject}@example.com`);
    expect(await seen(subject, verified(`new.${subject}@example.com`))).toBe(`new.${subject}@example.com`);
    expect(await seen(subject, {})).toBe(`new.${subject}@example.com`);
    const key = await newKey(bearer(await sessionToken({ sub: subject })));
    expect(key.user_email).toBe(`new.${subject}@example.com`);
  });

  it('counts only where the session is newer than the newest event, and than the session that counted last', async () => {
    const subject = newId('user');
    const [old, next] = [`old.${subject}@example.com`, `new.${subject}@example.com`];
    const issued = (minute: number | undefined, email: string) => seen(subject, verified(email), minute);
    await fromIdentity(userEvent('user.created', { id: subject, email: old, updatedAt: minutes(1) }));
    expect(await issued(0, next)).toBe(old);
    expect(await issued(1, next)).toBe(old);
    expect(await issued(2, next)).toBe(next);
    expect(await issued(1.5, old)).toBe(next);
    await fromIdentity(
      userEvent('user.updated', { id: subject, email: null, updatedAt: minutes(3), sentAt: minutes(4) }),
    );
    expect(await issued(2, next)).toBeNull();
    expect(await issued(3.5, next)).toBeNull();
    // It does not tell when it was issued.
    expect(await issued(undefined, next)).toBeNull();
    expect(await issued(5, old)).toBe(old);
    expect(await issued(4.5, next)).toBe(old);
    // An event that comes late is not newer than the session either.
    await fromIdentity(
      userEvent('user.updated', { id: subject, email: next, updatedAt: minutes(4.2), sentAt: minutes(4.8) }),
    );
    expect((await userOf(subject)).email).toBe(old);
    await fromIdentity(userEvent('user.updated', { id: subject, email: next, updatedAt: minutes(6) }));
    expect((await userOf(subject)).email).toBe(next);
  });

  it('opens no dataset of an address that the provider has taken away', async () => {
    const { subject, email } = await person();
    const { body } = await post('/v1/datasets', { name: 'Of an address', user_email: email });
    const path = `/v1/datasets/${body.data.id}`;
    const claims = { sub: subject, ...verified(email) };
    const session = bearer(await sessionToken(claims));
    expect((await get(path, session)).status).toBe(200);
    const key = bearer((await newKey(session)).key);
    await fromIdentity(userEvent('user.updated', { id: subject, email: null }));
    for (const headers of [session, key]) expect((await get(path, headers)).status).toBe(404);
    expect((await send('PATCH', path, session, { name: 'Mine' })).status).toBe(404);
    expect((await get('/v1/datasets', session)).body.data).toEqual([]);
    const again = bearer(await sessionToken({ ...claims, iat: Math.ceil(Date.now() / 1000) + 1 }));
    expect((await get(path, again)).status).toBe(200);
  });

  it('leaves no trace where nothing changes, nor on a profile that is deleted', async () => {
    const { subject, email } = await person();
    await seen(subject, verified(email));
    const before = await userOf(subject);
    await seen(subject, verified(email));
    expect((await userOf(subject)).updated_at).toBe(before.updated_at);
    const gone = newId('user');
    await fromIdentity(userDeleted(gone));
    expect(await seen(gone, verified(`${gone}@example.com`))).toBeNull();
  });
});

describe('a member that an event leaves out', () => {
  const update = (data: object, at: number) => fromIdentity({ type: 'user.updated', timestamp: minutes(at), data });

  it('stays as it was, and one that is null is removed', async () => {
    const id = newId('user');
    const email = `${id}@example.com`;
    await fromIdentity(userEvent('user.created', { id, email, updatedAt: minutes(1) }));
    const known = async () => {
      const user = await userOf(id);
      return [user.email, user.name];
    };
    await update({ id }, 2);
    expect(await known()).toEqual([email, 'Maria Santos']);
    await update({ id, username: null, email_addresses: [{ id: 'idn_x', email_address: 'x@example.com' }] }, 3);
    expect(await known()).toEqual([email, 'Maria Santos']);
    await update({ id, primary_email_address_id: 'idn_primary' }, 4);
    expect(await known()).toEqual([email, 'Maria Santos']);
    await update({ id, first_name: 'Ana', last_name: null }, 5);
    expect(await known()).toEqual([email, 'Ana']);
    await update({ id, primary_email_address_id: null }, 6);
    expect(await known()).toEqual([null, 'Ana']);
    await update({ id, first_name: null, last_name: null }, 7);
    expect(await known()).toEqual([null, null]);
  });

  it('stays as it was for organisations and roles too', async () => {
    const [org, user] = [newId('org'), newId('user')];
    const send = (type: string, data: object, at: number) => fromIdentity({ type, timestamp: minutes(at), data });
    const member = { organization: { id: org }, public_user_data: { user_id: user } };
    await send('organization.created', { id: org, name: 'Acme', slug: 'acme' }, 1);
    await send('organizationMembership.created', { ...member, role: 'org:admin' }, 1);
    await send('organization.updated', { id: org, name: 'Acme Inc.' }, 2);
    await send('organizationMembership.updated', member, 2);
    expect((await detailOf(user)).organizations).toMatchObject([
      { name: 'Acme Inc.', slug: 'acme', role: 'org:admin' },
    ]);
    await send('organization.updated', { id: org, slug: null }, 3);
    await send('organizationMembership.updated', { ...member, role: null }, 3);
    expect((await detailOf(user)).organizations).toMatchObject([{ name: 'Acme Inc.', slug: null, role: null }]);
  });
});

describe('events in any order', () => {
  it('lead to the newest state, however often and in whatever order they are sent', async () => {
    const history = fc.record({
      /** Minutes of the states. Of two states of one minute the one that was sent last is the newer. */
      states: fc.uniqueArray(fc.record({ at: fc.nat(5), sent: fc.nat(3) }), {
        minLength: 1,
        maxLength: 6,
        selector: ({ at, sent }) => `${at} ${sent}`,
      }),
      deletion: fc.option(fc.nat(6)),
      seed: fc.array(fc.nat(), { minLength: 14, maxLength: 14 }),
      together: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ states, deletion, seed, together }) => {
        const id = newId('user');
        const events = [
          ...states.map(({ at, sent }) =>
            userEvent(at === 0 ? 'user.created' : 'user.updated', {
              id,
              name: `State ${at}-${sent}`,
              updatedAt: minutes(at),
              sentAt: minutes(at) + sent,
            }),
          ),
          ...(deletion === null ? [] : [userDeleted(id, minutes(deletion))]),
        ];
        const shuffled = [...events, ...events.slice(0, 2)]
          .map((event, i) => ({ event, key: seed[i] as number }))
          .sort((a, b) => a.key - b.key);
        if (together) await Promise.all(shuffled.map(({ event }) => fromIdentity(event)));
        else for (const { event } of shuffled) await fromIdentity(event);
        const newest = states.toSorted((a, b) => b.at - a.at || b.sent - a.sent)[0] as { at: number; sent: number };
        const user = await userOf(id);
        const gone = deletion !== null && deletion >= newest.at;
        expect(user.status).toBe(gone ? 'deleted' : 'active');
        if (!gone) expect(user.name).toBe(`State ${newest.at}-${newest.sent}`);
      }),
      { numRuns: 40 },
    );
  });

  it('of one moment change nothing after the first', async () => {
    const id = newId('user');
    const at = { updatedAt: minutes(5), sentAt: minutes(6) };
    for (const name of ['First', 'Second']) await fromIdentity(userEvent('user.updated', { id, ...at, name }));
    expect((await userOf(id)).name).toBe('First');
  });

  it('without a moment of their own have the moment at which they were sent', async () => {
    const id = newId('user');
    const { timestamp: _, ...deleted } = userDeleted(id);
    await fromIdentity(userEvent('user.created', { id, updatedAt: Date.now() - 60_000 }));
    await fromIdentity(deleted);
    expect((await userOf(id)).status).toBe('deleted');
  });
});

describe('organisations', () => {
  const organizationEvent = (type: string, id: string, at: number, name = 'Acme') => ({
    type: `organization.${type}`,
    timestamp: minutes(at),
    data: type === 'deleted' ? { id, deleted: true } : { id, name, slug: 'acme', updated_at: minutes(at) },
  });
  const membershipEvent = (type: string, organization: string, user: string, at: number, role = 'org:member') => ({
    type: `organizationMembership.${type}`,
    timestamp: minutes(at),
    data: {
      id: `orgmem_${organization}`,
      // A deletion repeats when the membership was changed last.
      updated_at: minutes(type === 'deleted' ? 0 : at),
      role,
      organization: { id: organization, name: 'Early name', slug: 'early', updated_at: minutes(0) },
      public_user_data: { user_id: user, identifier: 'someone@example.com', first_name: 'Ana' },
    },
  });

  it('and their members may be reported in any order', async () => {
    const [org, user] = [newId('org'), newId('user')];
    await fromIdentity(membershipEvent('created', org, user, 3, 'org:admin'));
    expect(await detailOf(user)).toMatchObject({
      status: 'active',
      organizations: [{ external_id: org, name: 'Early name', role: 'org:admin' }],
    });
    await fromIdentity(organizationEvent('updated', org, 2, 'Later name'));
    await fromIdentity(organizationEvent('created', org, 1, 'First name'));
    await fromIdentity(userEvent('user.created', { id: user, updatedAt: minutes(1) }));
    await fromIdentity(membershipEvent('updated', org, user, 2));
    expect(await detailOf(user)).toMatchObject({
      name: 'Maria Santos',
      organizations: [{ external_id: org, name: 'Later name', role: 'org:admin' }],
    });
  });

  it('lose members for good, until they are added again', async () => {
    const [org, user] = [newId('org'), newId('user')];
    const member = async () => (await detailOf(user)).organizations.length === 1;
    await fromIdentity(membershipEvent('created', org, user, 1));
    await fromIdentity(membershipEvent('deleted', org, user, 4));
    expect(await member()).toBe(false);
    await fromIdentity(membershipEvent('updated', org, user, 3));
    expect(await member()).toBe(false);
    await fromIdentity(membershipEvent('created', org, user, 5));
    expect(await member()).toBe(true);
  });

  it('that are deleted have no members', async () => {
    const [org, user] = [newId('org'), newId('user')];
    await fromIdentity(organizationEvent('deleted', org, 4));
    await fromIdentity(organizationEvent('created', org, 1));
    await fromIdentity(membershipEvent('created', org, user, 2));
    expect((await detailOf(user)).organizations).toEqual([]);
  });

  it('have their members counted without deleted users and without deleted organisations', async () => {
    // All members are counted, and other tests have some too.
    const ask = workerWith({ DATABASE_URL: await (await fetch(inject('spareDatabase'))).text() });
    const say = (event: unknown) => fromIdentity(event, {}, ask);
    const members = async () => (await ask('/v1/admin/stats', { headers: MASTER })).body.data.organizations.members;
    const [org, other, user, gone] = [newId('org'), newId('org'), newId('user'), newId('user')];
    const before = await members();
    for (const one of [user, gone]) await say(membershipEvent('created', org, one, 1));
    await say(membershipEvent('created', other, user, 1));
    expect((await members()) - before).toBe(3);
    await say(userDeleted(gone));
    await say(organizationEvent('deleted', other, 2));
    expect((await members()) - before).toBe(1);
  });
});
