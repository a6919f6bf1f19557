/** The content codings that bodies are stored in, the smaller first (RFC 9110, 8.4.1). */
export const ENCODINGS = ['br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];
