/** Who is asking, resolved once per request. */
export type Principal = { readonly kind: 'anonymous' } | { readonly kind: 'master' };

/**
 * Who may call a route.
 * `public`: anyone; credentials are not looked at.
 * `free-tier`: anyone for what needs no key; credentials that are sent must be good.
 * `authenticated`: only with good credentials.
 */
export type Access = 'public' | 'free-tier' | 'authenticated';
