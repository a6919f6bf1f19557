/** The families of data that a key can be limited to. */
const FAMILIES = ['boundaries', 'datasets', 'places', 'politics', 'orgs'] as const;

type Family = (typeof FAMILIES)[number];

/** What an API key may do. A key without scopes may do everything but `admin`. */
export type Scope = `read:${Family}` | `write:${Family}` | 'admin';

export const SCOPES: readonly Scope[] = [
  ...FAMILIES.flatMap((family): Scope[] => [`read:${family}`, `write:${family}`]),
  'admin',
];
