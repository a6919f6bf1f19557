/**
 * When a state began and when the provider reported it, RFC 3339 in UTC or `infinity`. Of two states of one subject, the one
 * with the greater pair is the newer.
 */
export interface Timing {
  readonly changedAt: string;
  readonly reportedAt: string;
}

/** An organisation by the provider's id, with the names that every event about it has. */
export interface OrganizationNames {
  readonly externalId: string;
  readonly name: string | null | undefined;
  readonly slug: string | null | undefined;
}

/**
 * A state that a provider reports. A member is undefined where the event does not have it, and null where there is no such
 * value.
 */
export type State =
  | {
      readonly kind: 'user';
      readonly timing: Timing;
      readonly subject: string;
      /** Verified, in lower case. */
      readonly email: string | null | undefined;
      readonly name: string | null | undefined;
    }
  | { readonly kind: 'deleted_user'; readonly timing: Timing; readonly subject: string }
  | { readonly kind: 'organization'; readonly timing: Timing; readonly organization: OrganizationNames }
  | { readonly kind: 'deleted_organization'; readonly timing: Timing; readonly externalId: string }
  | {
      readonly kind: 'member';
      readonly timing: Timing;
      readonly organization: OrganizationNames;
      readonly subject: string;
      readonly role: string | null | undefined;
      /** Whether the person has left the organisation. */
      readonly removed: boolean;
    }
  | {
      readonly kind: 'addresses';
      readonly at: string;
      /** In lower case, without duplicates, sorted. */
      readonly addresses: readonly string[];
      readonly status: 'bounced' | 'complained';
    };
