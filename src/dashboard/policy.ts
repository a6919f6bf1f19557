/**
 * A policy that also lets the identity provider's script in, lets it ask its own host, and lets it start the worker that
 * it makes of its own text: https://clerk.com/docs/guides/secure/best-practices/csp-headers
 *
 * @param policy of every page, as `pages/_headers` has it
 */
export function withProvider(policy: string, host: string): string {
  return policy
    .replace("script-src 'self'", `script-src 'self' https://${host}`)
    .replace("connect-src 'self'", `connect-src 'self' https://${host}`)
    .replace("worker-src 'self'", "worker-src 'self' blob:");
}
