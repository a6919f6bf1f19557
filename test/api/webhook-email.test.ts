import { describe, expect, it } from 'vitest';
import { historyOf, userOf } from '../support/admin.ts';
import { get } from '../support/api.ts';
import { person } from '../support/people.ts';
import { fromEmail, fromIdentity, minutes, newDeliveryId, newId, recorded, userEvent } from '../support/webhooks.ts';

describe('email events', () => {
  const mailEvent = (type: string, to: unknown, at = minutes(1)) => ({
    type: `email.${type}`,
    created_at: new Date(at).toISOString(),
    data: { email_id: crypto.randomUUID(), from: 'Service <service@example.com>', to, subject: 'Hello' },
  });

  it.each(['bounced', 'complained'])('email.%s flags the address of a profile', async (status) => {
    const { subject, email, session } = await person();
    await get('/v1/api-keys', session);
    await fromEmail(mailEvent(status, [`Maria <${email.toUpperCase()}>`, 'somebody.else@example.com']));
    const user = await userOf(subject);
    expect([user.email_status, user.email_status_at]).toEqual([status, new Date(minutes(1)).toISOString()]);
    expect((await historyOf(user.id)).map(({ action }) => action)).toEqual([`email.${status}`]);
  });

  it('leave the newest flag, also on addresses whose profiles are created later', async () => {
    const id = newId('user');
    const email = `${id}@example.com`;
    await fromEmail(mailEvent('complained', email, minutes(5)));
    for (const minute of [4, 5]) await fromEmail(mailEvent('bounced', [email, email], minutes(minute)));
    await fromIdentity(userEvent('user.created', { id, email }));
    expect((await userOf(id)).email_status).toBe('complained');
    await fromIdentity(userEvent('user.updated', { id, email: `new.${email}`, updatedAt: Date.now() + 1000 }));
    expect((await userOf(id)).email_status).toBeNull();
  });

  it('of other types are recorded', async () => {
    const { subject, email, session } = await person();
    await get('/v1/api-keys', session);
    const id = newDeliveryId();
    await fromEmail(mailEvent('delivered', [email]), { id });
    expect(await recorded(id)).toMatchObject({ source: 'email', type: 'email.delivered', note: null });
    expect((await userOf(subject)).email_status).toBeNull();
  });

  it('create no user where they look like events of the identity provider', async () => {
    const id = newId('user');
    await fromEmail(userEvent('user.created', { id }));
    expect(await userOf(id)).toBeUndefined();
  });
});
