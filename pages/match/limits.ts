/** Max rows that the page takes. */
export const MAX_ROWS = 100_000;

/** Rows that may be looked up without credentials, in all. */
export const FREE_ROWS = 1000;
