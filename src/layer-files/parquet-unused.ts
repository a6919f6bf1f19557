// What wrangler.toml puts into the Worker in place of parts of the libraries for Parquet that it never asks for: columns of
// variants and Bloom filters, which are 3 kB of the packed bundle.
export const autoDetectShredding = undefined;
export const BloomBuilder = undefined;
export const bloomEligibleColumns = undefined;
export const decodeVariantColumn = undefined;
export const encodeVariantColumn = undefined;
export const hashParquetValue = undefined;
export const normalizeShreddingConfig = undefined;
export const readBloomFilter = undefined;
export const sbbfContains = undefined;

/** It is called at the end of every file. */
export function writeBlooms(): void {}
