/** What the token of a header of the form of RFC 6750 can consist of. */
export const BEARER_TOKEN = /^[\w.~+/=-]+$/;
