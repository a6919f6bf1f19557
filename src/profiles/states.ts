/**
 * When a thing came into a state and when the provider said so, RFC 3339 or `infinity`. Of two states of one thing, the
 * one with the greater pair is the newer.
 */
export interface Timing {
  readonly changedAt: string;
  readonly saidAt: string;
}

/** An organisation by the provider's id, with the names that every event about it carries. */
export interface OrganizationNames {
  readonly externalId: string;
  readonly name: string | null | undefined;
  readonly slug: string | null | undefined;
}

/**
 * The state of a thing as a provider reports it. A member that is undefined was not mentioned; null says that there is
 * no such value.
 */
export type State =
  | {
      readonly of: 'user';
      readonly timing: Timing;
      readonly subject: string;
      /** Verified, in lower case. */
      readonly email: string | null | undefined;
      readonly name: string | null | undefined;
    }
  | { readonly of: 'deleted_user'; readonly timing: Timing; readonly subject: string }
  | { readonly of: 'organization'; readonly timing: Timing; readonly organization: OrganizationNames }
  | { readonly of: 'deleted_organization'; readonly timing: Timing; readonly externalId: string }
  | {
      readonly of: 'member';
      readonly timing: Timing;
      readonly organization: OrganizationNames;
      readonly subject: string;
      readonly role: string | null | undefined;
      /** Whether the person has left the organisation. */
      readonly removed: boolean;
    }
  | {
      readonly of: 'addresses';
      readonly at: string;
      /** In lower case, without duplicates, sorted. */
      readonly addresses: readonly string[];
      readonly status: 'bounced' | 'complained';
    };
