/**
 * When something came to be so and when the provider said it, RFC 3339 or `infinity`. Of two states of one thing the one
 * with the greater pair is the newer.
 */
export interface Told {
  readonly at: string;
  readonly toldAt: string;
}

/** An organisation by the provider's id, with what every word about it says of it. */
export interface OrganizationNames {
  readonly externalId: string;
  readonly name: string | null | undefined;
  readonly slug: string | null | undefined;
}

/** What a provider says is so. Of what is undefined it says nothing; null is that there is none. */
export type State =
  | {
      readonly of: 'user';
      readonly told: Told;
      readonly subject: string;
      /** Verified, in lower case. */
      readonly email: string | null | undefined;
      readonly name: string | null | undefined;
    }
  | { readonly of: 'deleted_user'; readonly told: Told; readonly subject: string }
  | { readonly of: 'organization'; readonly told: Told; readonly organization: OrganizationNames }
  | { readonly of: 'deleted_organization'; readonly told: Told; readonly externalId: string }
  | {
      readonly of: 'member';
      readonly told: Told;
      readonly organization: OrganizationNames;
      readonly subject: string;
      readonly role: string | null | undefined;
      /** No longer. */
      readonly removed: boolean;
    }
  | {
      readonly of: 'addresses';
      readonly at: string;
      /** In lower case, each once, in order. */
      readonly addresses: readonly string[];
      readonly status: 'bounced' | 'complained';
    };
