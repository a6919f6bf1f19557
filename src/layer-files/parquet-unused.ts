// wrangler.toml bundles this in place of parts of the Parquet libraries that are never used here: variant columns and
// Bloom filters, 3 kB of the compressed bundle.
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
