/**
 * A content security policy that also allows the identity provider's script, its requests to its own host, and the web
 * worker that it makes of a text: https://clerk.com/docs/guides/secure/best-practices/csp-headers
 *
 * @param policy the policy of all pages, in `pages/_headers`
 * @param host the provider's host
 */
export function withProvider(policy: string, host: string): string {
  return policy
    .replace("script-src 'self'", `script-src 'self' https://${host}`)
    .replace("connect-src 'self'", `connect-src 'self' https://${host}`)
    .replace("worker-src 'self'", "worker-src 'self' blob:");
}
