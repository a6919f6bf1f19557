import { z } from 'zod';
import { TOTAL_MS } from './deadline.ts';
import { DomainError } from './errors.ts';

/** What the token of an Authorization header can consist of (RFC 6750, 2.1). */
export const BEARER_TOKEN = /^[\w.~+/=-]+$/;

/** Hosts that the Worker can speak to: Neon's, and the local endpoint that speaks Neon's protocol. */
const HOSTS = /@(127\.0\.0\.1|localhost|\[::1\]|[^@/:]+\.neon\.tech)(:\d+)?\//;

/** Public keys (RFC 7517), at least one. */
export const jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

/** A JWK set as JSON text. */
const jwksText = z.string().transform((text, context) => {
  try {
    const parsed = jwks.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch {
    // The issue is added below.
  }
  context.addIssue('must be a JSON Web Key Set: {"keys":[…]} with one public key or more');
  return z.NEVER;
});

/** A comma-separated list. */
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** The canonical URLs of the value sets of FHIR, as PH Core has them. It has changed them several times. */
const VALUE_SETS = {
  regions: 'https://fhir.doh.gov.ph/phcore/ValueSet/regions',
  provinces: 'https://fhir.doh.gov.ph/phcore/ValueSet/provinces',
  cities: 'https://fhir.doh.gov.ph/phcore/ValueSet/cities',
  barangays: 'https://fhir.doh.gov.ph/phcore/ValueSet/barangays',
};

/** Names with URLs in place of those of `VALUE_SETS`: `regions=urn:example:regions`. */
const valueSets = list
  .refine(
    (items) =>
      items.every((item) => /^(?:regions|provinces|cities|barangays)=[a-z][a-z0-9+.-]*:[^\s|"<>]+$/i.test(item)),
    'must be name=address with commas between them; names are regions, provinces, cities and barangays, addresses have a scheme',
  )
  .transform((items) => {
    const given = items.map((item) => [item.slice(0, item.indexOf('=')), item.slice(item.indexOf('=') + 1)]);
    return { ...VALUE_SETS, ...(Object.fromEntries(given) as Partial<typeof VALUE_SETS>) };
  })
  .refine((all) => new Set(Object.values(all)).size === 4, 'must be four different addresses')
  .default(VALUE_SETS);

/** The name of a provider, as a segment of a path. */
const segment = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be 1 to 64 lower-case letters, digits, "-" or "_"')
  .refine((name) => name !== 'ping', 'must not be "ping", which is a path of its own');

const SIGNING_SECRET = /^whsec_(?=.{22})(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** One signing secret or, while one replaces the other, both with a comma between them. An empty text is the same as none. */
const signingSecrets = list
  .refine(
    (secrets) => secrets.length <= 2 && secrets.every((secret) => SIGNING_SECRET.test(secret)),
    'must be "whsec_" and the base64 of 16 bytes or more, or two such with a comma between them',
  )
  .default([]);

/** A secret of this service or, while one replaces the other, the new one and then the old one with a comma between them. */
function secrets(one: z.ZodString) {
  return z
    .string()
    .transform((text) => text.split(','))
    .pipe(
      z
        .array(one)
        .max(2, 'must be one or, while it is replaced, the new one and the old one with a comma between them'),
    )
    .transform((all) => all as [string, ...string[]]);
}

/** A whole number of a range, as text or as a number. */
function whole(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(message).refine((n) => Number.isInteger(n) && n >= least && n <= most, message);
}

const days = whole(1, 36_500);

/** `pk_live_` or `pk_test_` and the base64 of a host name with a dollar sign after it, as Clerk gives them out. */
const publishableKey = z.string().refine((key) => {
  const [, encoded = ''] = /^pk_(?:live|test)_([A-Za-z0-9+/=]+)$/.exec(key) ?? [];
  try {
    return /^[a-z0-9-]+(\.[a-z0-9-]+)+\$$/.test(atob(encoded));
  } catch {
    return false;
  }
}, 'must be a publishable key: pk_live_… or pk_test_…');

/** A URL of the development server. */
const localUrl = z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/ });

const configShape = z.object({
  ENVIRONMENT: z.enum(['production', 'preview', 'development'], 'must be production, preview or development'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/[^:@/]+:[^@]+@[^/]+\/.+/, 'must be postgresql://user:password@host/database')
    .regex(
      HOSTS,
      'must name a Neon host; for any other Postgres use "npm start" or "npm run dev", which put an endpoint in front of it',
    ),
  MASTER_TOKEN: secrets(
    z
      .string()
      .min(16, 'must have at least 16 characters')
      .regex(BEARER_TOKEN, 'must consist of letters, digits and - . _ ~ + / =, as the token of a header must'),
  ),
  /** The `iss` that sessions must have. */
  SESSION_ISSUER: z.string().min(1, 'must not be empty'),
  /** Where the identity provider's public keys are, or the keys themselves: one of the two. */
  SESSION_JWKS_URL: z.url({ protocol: /^https?$/, error: 'must be an address of https' }).optional(),
  SESSION_JWKS: jwksText.optional(),
  /** Where it is set, the `azp` of sessions must be one of these. */
  SESSION_AUTHORIZED_PARTIES: list.default([]),
  /** The last segments of the URLs that the identity and the email provider send their events to. */
  IDENTITY_PROVIDER: segment.default('clerk'),
  EMAIL_PROVIDER: segment.default('resend'),
  /** The secrets that they sign with. Without one nothing is received. */
  IDENTITY_WEBHOOK_SECRET: signingSecrets,
  EMAIL_WEBHOOK_SECRET: signingSecrets,
  /** How long the bodies of events are kept. The events themselves stay. */
  WEBHOOK_BODY_RETENTION_DAYS: days.default(90),
  AUDIT_RETENTION_DAYS: days.default(365),
  /** How long a deleted account can be restored before everything of it is erased; 0: it is erased at once. */
  ERASURE_GRACE_DAYS: whole(0, 36_500).default(30),
  /** What tile sessions are signed with. */
  TILE_SESSION_SECRET: secrets(z.string().min(32, 'must have at least 32 characters')),
  /** Where it is set, people sign in to the dashboard with the identity provider's script. It is no secret. */
  IDENTITY_PUBLISHABLE_KEY: publishableKey.optional(),
  /** Where the development server makes sessions, so that its dashboard can sign in with a click. */
  LOCAL_SIGN_IN_URL: localUrl.optional(),
  /** Where the development server says what it is still preparing, and how far that is. */
  LOCAL_PROGRESS_URL: localUrl.optional(),
  /** Requests per minute of an address without credentials. */
  FREE_TIER_RPM: whole(1, 100_000).default(30),
  /** Requests per minute of all API keys of one account together. */
  ACCOUNT_RPM: whole(1, 1_000_000_000).default(600),
  /** How much the datasets of one account may store. */
  ACCOUNT_MAX_BYTES: whole(0, Number.MAX_SAFE_INTEGER).default(2_147_483_648),
  /** How large an uploaded file may be. */
  UPLOAD_MAX_BYTES: whole(1, 5_000_000_000).default(104_857_600),
  /** How long a request waits for the database, the bucket and all else outside of the Worker, milliseconds. */
  REQUEST_WAIT_MS: whole(1000, 25_000).default(TOTAL_MS),
  FHIR_VALUE_SETS: valueSets,
  /** Git commit of the build, 40 hex digits; set by the deploy and dev commands. */
  COMMIT: z.string().default('unknown'),
  /** The version that the platform gave to a deployment. */
  VERSION: z.object({ id: z.string() }).optional(),
  /** ISO 8601 time of the build. */
  BUILT_AT: z.string().optional(),
});

type Settings = z.output<typeof configShape>;

/** Settings that some requests need. In development they may be missing: only those requests are refused. */
const NEEDED_BY_SOME = ['DATABASE_URL', 'MASTER_TOKEN', 'SESSION_ISSUER', 'TILE_SESSION_SECRET'] as const;

/** The rules between settings. */
function withRules<Shape extends z.ZodType<Omit<Settings, (typeof NEEDED_BY_SOME)[number]>>>(shape: Shape) {
  return shape
    .refine(
      ({ ENVIRONMENT, SESSION_JWKS, SESSION_JWKS_URL }) => {
        const set = [SESSION_JWKS, SESSION_JWKS_URL].filter((keys) => keys !== undefined).length;
        return set === 1 || (set === 0 && ENVIRONMENT === 'development');
      },
      { path: ['SESSION_JWKS_URL'], message: 'must be set, or SESSION_JWKS instead of it, and not both' },
    )
    .refine(
      ({ ENVIRONMENT, SESSION_JWKS_URL }) => ENVIRONMENT === 'development' || !/^http:/i.test(SESSION_JWKS_URL ?? ''),
      { path: ['SESSION_JWKS_URL'], message: 'must be of https, unless ENVIRONMENT is development' },
    )
    .check(({ value, issues }) => {
      if (value.ENVIRONMENT === 'development') return;
      for (const name of ['LOCAL_SIGN_IN_URL', 'LOCAL_PROGRESS_URL'] as const) {
        if (value[name] === undefined) continue;
        issues.push({ code: 'custom', path: [name], message: 'may be set in development only', input: value[name] });
      }
    })
    .refine(({ IDENTITY_PROVIDER, EMAIL_PROVIDER }) => IDENTITY_PROVIDER !== EMAIL_PROVIDER, {
      path: ['EMAIL_PROVIDER'],
      message: 'must not be the same as IDENTITY_PROVIDER',
    });
}

const deployed = withRules(configShape);

const developed = withRules(
  configShape.partial({ DATABASE_URL: true, MASTER_TOKEN: true, SESSION_ISSUER: true, TILE_SESSION_SECRET: true }),
);

function schemaFor(env: object) {
  return 'ENVIRONMENT' in env && env.ENVIRONMENT === 'development' ? developed : deployed;
}

/** The name of this build. Copies in caches and validators contain it, so that they are not used by another build. */
export function buildId({ VERSION, COMMIT, BUILT_AT }: Config): string {
  return [VERSION?.id, COMMIT, BUILT_AT].join(' ');
}

/** Reading a setting that is missing in development throws DomainError `setting_missing`. */
export type Config = Readonly<Settings>;

const parsed = new WeakMap<object, Config>();

/** The names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(configShape.shape);

/** A setting that is missing or malformed. */
export interface SettingFault {
  readonly setting: string;
  /** What it must be, such as `must not be empty`. It never repeats the value, which may be secret. */
  readonly message: string;
}

/** Everything that is wrong with a configuration. */
export function faultsOf(env: object): SettingFault[] {
  return schemaFor(env).safeParse(env).error?.issues.map(faultOf) ?? [];
}

function faultOf({ path, message }: z.core.$ZodIssue): SettingFault {
  return { setting: path.filter((part) => typeof part === 'string').join('.'), message };
}

/**
 * The configuration, parsed once per set of bindings.
 *
 * @throws Error naming every variable that is missing or malformed, never its value
 */
export function configOf(env: object): Config {
  const known = parsed.get(env);
  if (known) return known;
  const result = schemaFor(env).safeParse(env);
  if (!result.success) {
    const faults = result.error.issues.map(faultOf).map(({ setting, message }) => `${setting}: ${message}`);
    throw new Error(`Configuration is incomplete. ${faults.join('; ')}`);
  }
  const config = demanding(result.data);
  parsed.set(env, config);
  return config;
}

/** The settings, those that are missing as members that throw. */
function demanding(settings: z.output<typeof developed>): Config {
  const demanded = settings.SESSION_JWKS ? NEEDED_BY_SOME : [...NEEDED_BY_SOME, 'SESSION_JWKS_URL' as const];
  for (const setting of demanded) {
    if (settings[setting] !== undefined) continue;
    const message = `${setting} is not set here: run "npm run dev", which brings a database, its data and all settings.`;
    const get = () => {
      throw new DomainError('setting_missing', message);
    };
    Object.defineProperty(settings, setting, { get });
  }
  return settings as Config;
}
