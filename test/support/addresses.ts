/** An IPv4 address that no other request has. */
export function freshAddress(): string {
  return [10, ...crypto.getRandomValues(new Uint8Array(3))].join('.');
}

/** Fewer than an address may make in a minute without a key. */
const REQUESTS_PER_ADDRESS = 20;

let shared = '';
let requests = 0;

/**
 * An address for a request of which a test says nothing about the client. Several requests share it, because each
 * address has a counter of its own, and making one takes longer than most requests.
 */
export function someAddress(): string {
  if (requests % REQUESTS_PER_ADDRESS === 0) shared = freshAddress();
  requests += 1;
  return shared;
}
