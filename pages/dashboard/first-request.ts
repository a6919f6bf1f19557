/** A request that works with a key of some scopes, whatever data the service has. */
export interface FirstRequest {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  /** Sent as JSON. */
  readonly body?: object;
}

/** @param scopes of the key; null: it may do everything */
export function firstRequestOf(scopes: readonly string[] | null): FirstRequest {
  if (scopes === null || scopes.length === 0 || scopes.includes('read:boundaries')) {
    return { method: 'GET', path: '/v1/provinces/0702200000' };
  }
  return scopes.includes('read:datasets')
    ? { method: 'GET', path: '/v1/datasets' }
    : { method: 'POST', path: '/v1/datasets', body: { name: 'My first dataset' } };
}

/** The request as a line for a terminal. @param key what stands for the key in it */
export function curlOf({ path, body }: FirstRequest, key: string): string {
  const json = body ? ` -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'` : '';
  return `curl -H "Authorization: Bearer ${key}" \\\n  '${location.origin}${path}'${json}`;
}

/**
 * The same without the key, which the terminal asks for, so that it is in no history. For bash and zsh. It is a single line
 * to the shell: the question would take a second one for its answer.
 */
export function curlAskingForKey(request: FirstRequest): string {
  return `printf 'Paste your key: '; read -rs KEY && echo && \\\n${curlOf(request, '$KEY')}`;
}
