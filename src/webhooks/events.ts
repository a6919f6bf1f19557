import { z } from 'zod';
import { END_OF_TIME } from '../http/schemas.ts';
import type { OrganizationNames, State, Told } from '../profiles/states.ts';
import { TOLERANCE_SECONDS } from './signature.ts';

/** Who sends: the identity provider or the email provider. */
export type Source = 'identity' | 'email';

/** What a delivery says, as far as it was understood. */
export interface WebhookEvent {
  readonly type: string | null;
  /** When it happened, by the sender's clock, RFC 3339. */
  readonly at: string | null;
  /** What it says is so; null where it has nothing to do with us, or is not what its type promises. */
  readonly state: State | null;
  /** Why there is no state, where the type has one. */
  readonly note: string | null;
}

const MAX_TYPE_LENGTH = 100;
const MAX_NAME_LENGTH = 256;
const MAX_EMAIL_LENGTH = 320;
const MAX_ADDRESSES = 1000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const ADDRESS = /^[^\s\u0000-\u001f\u007f@]+@[^\s\u0000-\u001f\u007f@]+$/;
const MAX_NOTED_ISSUES = 3;
/** As much as the time of a signature may be off. */
const CLOCKS_DIFFER_MS = TOLERANCE_SECONDS * 1000;

/** Milliseconds since the epoch, or a date and time as text; RFC 3339 in UTC. */
const moment = z.union([z.number(), z.string().transform((text) => Date.parse(text))]).transform((ms, context) => {
  if (ms >= 0 && ms < END_OF_TIME) return new Date(ms).toISOString();
  context.addIssue('is no moment');
  return z.NEVER;
});

const identifier = z.string().regex(/^[\x20-\x7e]{1,255}$/, 'is no identifier');

const user = z.object({
  id: identifier,
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  username: z.string().nullish(),
  primary_email_address_id: z.string().nullish(),
  email_addresses: z
    .array(
      z.object({
        id: z.string().nullish(),
        email_address: z.string(),
        verification: z.object({ status: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
});

type UserFacts = Omit<z.output<typeof user>, 'id'>;

const organization = z.object({ id: identifier, name: z.string().nullish(), slug: z.string().nullish() });

const membership = z.object({
  organization,
  public_user_data: z.object({ user_id: identifier }),
  role: z.string().nullish(),
});

const mail = z.object({ to: z.union([z.string().transform((one) => [one]), z.array(z.string()).max(MAX_ADDRESSES)]) });

const envelope = z.object({
  type: z.string(),
  /** Of the identity provider; and of the email provider. */
  timestamp: moment.nullish().catch(null),
  created_at: moment.nullish().catch(null),
  data: z.unknown().optional(),
});

/** How the state is made of the `data` of an event. Throws a ZodError where it is not as promised. */
type Reader = (data: unknown, times: { changed: Told; gone: Told }) => State;

const userState: Reader = (data, { changed }) => {
  const { id, ...rest } = user.parse(data);
  return { of: 'user', told: changed, subject: id, email: primaryEmail(rest), name: fullName(rest) };
};

const organizationState: Reader = (data, { changed }) => ({
  of: 'organization',
  told: changed,
  organization: namesOf(organization.parse(data)),
});

const memberState =
  (removed: boolean): Reader =>
  (data, { changed, gone }) => {
    const { organization, public_user_data, role } = membership.parse(data);
    return {
      of: 'member',
      told: removed ? gone : changed,
      organization: namesOf(organization),
      subject: public_user_data.user_id,
      role: said(role),
      removed,
    };
  };

const addressState =
  (status: 'bounced' | 'complained'): Reader =>
  (data, { changed }) => ({ of: 'addresses', at: changed.toldAt, addresses: addressesIn(mail.parse(data).to), status });

/** The events that have an effect. Payloads: https://clerk.com/docs/webhooks/overview, https://resend.com/docs/webhooks */
const READERS: Readonly<Record<Source, Readonly<Record<string, Reader>>>> = {
  identity: {
    'user.created': userState,
    'user.updated': userState,
    'user.deleted': (data, { gone }) => ({
      of: 'deleted_user',
      told: gone,
      subject: z.object({ id: identifier }).parse(data).id,
    }),
    'organization.created': organizationState,
    'organization.updated': organizationState,
    'organization.deleted': (data, { gone }) => ({
      of: 'deleted_organization',
      told: gone,
      externalId: z.object({ id: identifier }).parse(data).id,
    }),
    'organizationMembership.created': memberState(false),
    'organizationMembership.updated': memberState(false),
    'organizationMembership.deleted': memberState(true),
  },
  email: {
    'email.bounced': addressState('bounced'),
    'email.complained': addressState('complained'),
  },
};

/**
 * Reads a delivery. Members that we have no use for are passed over; what is not as it should be makes a note in place
 * of a state.
 *
 * @param sentAt when it was sent: the latest that anything in it can have happened
 */
export function readEvent(source: Source, body: string, sentAt: Date): WebhookEvent {
  const parsed = envelope.safeParse(jsonOf(body));
  if (!parsed.success) return { type: null, at: null, state: null, note: noteOf('body', parsed.error) };
  const { type: given, timestamp, created_at: createdAt, data } = parsed.data;
  const type = clean(given, MAX_TYPE_LENGTH);
  const said = sentBy(sentAt, timestamp ?? createdAt ?? null);
  const updated = sentBy(sentAt, z.object({ updated_at: moment }).safeParse(data).data?.updated_at ?? null);
  const readers = READERS[source];
  const reader = Object.hasOwn(readers, given) ? readers[given] : undefined;
  if (!reader) return { type, at: said, state: null, note: null };
  const toldAt = said ?? updated ?? sentAt.toISOString();
  // A deletion says nothing of when the thing was changed last; and it wins over what was said at the same moment.
  const times = { changed: { at: updated ?? toldAt, toldAt }, gone: { at: toldAt, toldAt: 'infinity' } };
  try {
    return { type, at: toldAt, state: reader(data, times), note: null };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return { type, at: toldAt, state: null, note: noteOf('data', error) };
  }
}

/**
 * A moment, or the latest that it can be: nothing has happened later than it was told, by clocks that may differ a
 * little. One in years to come would keep out all that happens until then.
 */
function sentBy(sentAt: Date, at: string | null): string | null {
  const latest = sentAt.getTime() + CLOCKS_DIFFER_MS;
  return at !== null && Date.parse(at) > latest ? new Date(latest).toISOString() : at;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What was wrong and where, without what was got. */
function noteOf(root: string, { issues }: z.ZodError): string {
  return issues
    .slice(0, MAX_NOTED_ISSUES)
    .map(({ path, message }) => `${[root, ...path.map(String)].join('.').slice(0, MAX_TYPE_LENGTH)}: ${message}`)
    .join('; ');
}

/** The primary address, if it is verified; undefined where it is not said which that is. */
function primaryEmail({ primary_email_address_id: id, email_addresses: addresses }: UserFacts) {
  if (id === null || addresses === null || addresses?.length === 0) return null;
  if (id === undefined || addresses === undefined) return undefined;
  const primary = addresses.find((address) => address.id === id);
  return primary?.verification?.status === 'verified' ? (addressesIn([primary.email_address])[0] ?? null) : null;
}

function fullName({ first_name, last_name, username }: UserFacts): string | null | undefined {
  if (first_name === undefined && last_name === undefined) return clean(username) ?? undefined;
  return clean([first_name, last_name].filter(Boolean).join(' ')) ?? clean(username);
}

function namesOf({ id, name, slug }: z.output<typeof organization>): OrganizationNames {
  return { externalId: id, name: said(name), slug: said(slug) };
}

/** What was said, if anything was. */
function said(text: string | null | undefined): string | null | undefined {
  return text === undefined ? undefined : clean(text);
}

/** Text that can be stored and shown: null where nothing is left. */
function clean(text: string | null | undefined, most = MAX_NAME_LENGTH): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const visible = (text ?? '').toWellFormed().replaceAll(/[\u0000-\u001f\u007f]+/g, ' ');
  return visible.trim().slice(0, most).toWellFormed() || null;
}

/** Addresses, plain or as `Name <address>`: in lower case, each once, in order. What is none is left out. */
function addressesIn(given: readonly string[]): string[] {
  const addresses = given.map((text) => (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim().toLowerCase());
  return [...new Set(addresses)].filter(isAddress).sort();
}

function isAddress(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && text.isWellFormed() && ADDRESS.test(text);
}
