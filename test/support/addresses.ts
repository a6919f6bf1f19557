/** An IPv4 address that no other request has. */
export function freshAddress(): string {
  return [10, ...crypto.getRandomValues(new Uint8Array(3))].join('.');
}
