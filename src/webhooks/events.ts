import { z } from 'zod';
import { lowerAscii } from '../ascii.ts';
import { CONTROL_CHARACTER, replaceControlCharacters } from '../control-characters.ts';
import { END_OF_TIME } from '../http/schemas.ts';
import type { OrganizationNames, State, Timing } from '../profiles/states.ts';
import { TOLERANCE_SECONDS } from './signature.ts';

/** Who sends: the identity provider or the email provider. */
export type WebhookSource = 'identity' | 'email';

/** What was read of the body of a delivery. */
export interface WebhookEvent {
  readonly type: string | null;
  /** When the event happened, by the sender's clock, RFC 3339. */
  readonly at: string | null;
  /** The reported state; null where the type has no effect here, or the data does not fit the type. */
  readonly state: State | null;
  /** Why there is no state, where events of the type have one. */
  readonly note: string | null;
}

const MAX_TYPE_LENGTH = 100;
const MAX_NAME_LENGTH = 256;
const MAX_EMAIL_LENGTH = 320;
const MAX_ADDRESSES = 1000;
const ADDRESS = /^[^\s@]+@[^\s@]+$/;
const MAX_NOTED_ISSUES = 3;
const MAX_NOTED_PATH_LENGTH = 100;
/** How far the clock of a provider may be off, milliseconds: as far as the time of a signature may be. */
const CLOCK_TOLERANCE_MS = TOLERANCE_SECONDS * 1000;

/** Takes milliseconds since the epoch, or a date and time as text; gives RFC 3339 in UTC. */
const eventMoment = z.union([z.number(), z.string().transform((text) => Date.parse(text))]).transform((ms, context) => {
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
  /** The identity provider's member, then the email provider's. */
  timestamp: eventMoment.nullish().catch(null),
  created_at: eventMoment.nullish().catch(null),
  data: z.unknown().optional(),
});

/**
 * Makes a state of the `data` of an event.
 *
 * @param times the timing of the state: `changed` where the event creates or changes something, `deleted` where it deletes it
 * @throws ZodError if the data does not fit the type of the event
 */
type Reader = (data: unknown, times: { changed: Timing; deleted: Timing }) => State;

const userState: Reader = (data, { changed }) => {
  const { id, ...rest } = user.parse(data);
  return { kind: 'user', timing: changed, subject: id, email: primaryEmail(rest), name: fullName(rest) };
};

const organizationState: Reader = (data, { changed }) => ({
  kind: 'organization',
  timing: changed,
  organization: namesOf(organization.parse(data)),
});

const memberState =
  (removed: boolean): Reader =>
  (data, { changed, deleted }) => {
    const { organization, public_user_data, role } = membership.parse(data);
    return {
      kind: 'member',
      timing: removed ? deleted : changed,
      organization: namesOf(organization),
      subject: public_user_data.user_id,
      role: cleanOrUndefined(role),
      removed,
    };
  };

const addressState =
  (status: 'bounced' | 'complained'): Reader =>
  (data, { changed }) => ({
    kind: 'addresses',
    at: changed.reportedAt,
    addresses: addressesIn(mail.parse(data).to),
    status,
  });

/** The events that have an effect. Payloads: https://clerk.com/docs/webhooks/overview, https://resend.com/docs/webhooks */
const READERS: Readonly<Record<WebhookSource, Readonly<Record<string, Reader>>>> = {
  identity: {
    'user.created': userState,
    'user.updated': userState,
    'user.deleted': (data, { deleted }) => ({
      kind: 'deleted_user',
      timing: deleted,
      subject: z.object({ id: identifier }).parse(data).id,
    }),
    'organization.created': organizationState,
    'organization.updated': organizationState,
    'organization.deleted': (data, { deleted }) => ({
      kind: 'deleted_organization',
      timing: deleted,
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
 * Reads the body of a delivery. Members that have no use here are ignored. Where a member that is used is not as it
 * should be, the event has a note in place of a state.
 *
 * @param sentAt when the delivery was sent; nothing in it can have happened later
 */
export function readEvent(source: WebhookSource, body: string, sentAt: Date): WebhookEvent {
  const parsed = envelope.safeParse(jsonOf(body));
  if (!parsed.success) return { type: null, at: null, state: null, note: noteOf('body', parsed.error) };
  const { type: given, timestamp, created_at: createdAt, data } = parsed.data;
  const type = clean(given, MAX_TYPE_LENGTH);
  const madeAt = atMost(sentAt, timestamp ?? createdAt ?? null);
  const updatedAt = atMost(sentAt, z.object({ updated_at: eventMoment }).safeParse(data).data?.updated_at ?? null);
  const readers = READERS[source];
  const reader = Object.hasOwn(readers, given) ? readers[given] : undefined;
  if (!reader) return { type, at: madeAt, state: null, note: null };
  const reportedAt = madeAt ?? updatedAt ?? sentAt.toISOString();
  // A deletion does not say when its subject changed last. It wins over other reports of the same moment.
  const times = {
    changed: { changedAt: updatedAt ?? reportedAt, reportedAt },
    deleted: { changedAt: reportedAt, reportedAt: 'infinity' },
  };
  try {
    return { type, at: reportedAt, state: reader(data, times), note: null };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return { type, at: reportedAt, state: null, note: noteOf('data', error) };
  }
}

/**
 * A moment, but at most the time of sending plus the tolerance for clocks. A state with a later moment would keep out the
 * states that are reported until then, because they would count as older.
 */
function atMost(sentAt: Date, at: string | null): string | null {
  const latest = sentAt.getTime() + CLOCK_TOLERANCE_MS;
  return at !== null && Date.parse(at) > latest ? new Date(latest).toISOString() : at;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is wrong and where, without the values, which may be private. */
function noteOf(root: string, { issues }: z.ZodError): string {
  return issues
    .slice(0, MAX_NOTED_ISSUES)
    .map(({ path, message }) => `${[root, ...path.map(String)].join('.').slice(0, MAX_NOTED_PATH_LENGTH)}: ${message}`)
    .join('; ');
}

/** The primary address, or null where there is none that is verified; undefined where the event does not say which it is. */
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
  return { externalId: id, name: cleanOrUndefined(name), slug: cleanOrUndefined(slug) };
}

/** As `clean`, but undefined stays undefined, because a member that the event does not have changes nothing. */
function cleanOrUndefined(text: string | null | undefined): string | null | undefined {
  return text === undefined ? undefined : clean(text);
}

/** Text without control characters, at most `maxLength` characters of it; null where nothing is left. */
function clean(text: string | null | undefined, maxLength = MAX_NAME_LENGTH): string | null {
  const visible = replaceControlCharacters((text ?? '').toWellFormed(), ' ');
  return visible.trim().slice(0, maxLength).toWellFormed() || null;
}

/** The addresses in texts of the form `address` or `Name <address>`, in lower case, without duplicates, sorted. Other texts are left out. */
function addressesIn(given: readonly string[]): string[] {
  const addresses = given.map((text) => lowerAscii((/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim()));
  return [...new Set(addresses)].filter(isAddress).sort();
}

function isAddress(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && text.isWellFormed() && !CONTROL_CHARACTER.test(text) && ADDRESS.test(text);
}
