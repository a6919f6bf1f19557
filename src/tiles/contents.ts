import { Compression, type Entry, type Header } from 'pmtiles';
import { z } from 'zod';
import { DomainError } from '../errors.ts';
import { type Bucket, storageUnavailable } from '../storage/bucket.ts';
import type { ArchiveFacts } from './archive.ts';
import { invalidArchive, MAX_METADATA_BYTES } from './header.ts';
import { ArchiveGone, inflate, MAX_READ_BYTES, readRoot } from './reader.ts';

/**
 * Checks the root directory of a stored archive. Every reader begins there, so each entry must lead to bytes of the
 * archive.
 *
 * @throws DomainError `invalid_archive`
 */
export async function checkRoot(bucket: Bucket, key: string, header: Header): Promise<void> {
  const { leafDirectoryLength = 0, tileDataLength = 0 } = header;
  let next = 0;
  for (const { tileId, offset, length, runLength } of await rootEntries(bucket, key, header)) {
    if (!(tileId >= next)) throw invalidArchive('the entries of its root directory are not in order');
    // An entry with a run of 0 leads to a leaf directory.
    const section = runLength === 0 ? leafDirectoryLength : tileDataLength;
    const isInside = offset >= 0 && length > 0 && length <= MAX_READ_BYTES && offset + length <= section;
    if (!isInside) throw invalidArchive('an entry of its root directory leads outside of its tiles and directories');
    next = tileId + Math.max(runLength, 1);
  }
}

async function rootEntries(bucket: Bucket, key: string, header: Header): Promise<Entry[]> {
  try {
    return await readRoot(bucket, key, header);
  } catch (error) {
    if (error instanceof ArchiveGone) throw storageUnavailable(key, error);
    if (error instanceof DomainError) throw error;
    throw invalidArchive('its root directory can not be read');
  }
}

/** Text of limited length that the database can store. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((string) => string.isWellFormed() && !string.includes('\0'), 'must be text without NUL');

const zoom = z.number().int().min(0).max(30).optional();

/** The members of an archive's JSON metadata that the service uses. Other members are ignored. */
const metadataSchema = z.object({
  name: text(200).optional(),
  description: text(2000).optional(),
  attribution: text(2000).optional(),
  data_release: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/)
    .optional(),
  vector_layers: z
    .array(
      z.object({
        id: text(200).min(1),
        description: text(2000).optional(),
        minzoom: zoom,
        maxzoom: zoom,
        fields: z.record(text(200), z.unknown().transform(String).pipe(text(500))).default({}),
      }),
    )
    .min(1)
    .max(100),
});

type MetadataFacts = Pick<ArchiveFacts, 'description' | 'attribution' | 'vectorLayers' | 'releaseId'> & {
  name: string | null;
};

/**
 * Reads and checks the metadata of a stored archive.
 *
 * @throws DomainError `invalid_archive`
 */
export async function readMetadata(bucket: Bucket, key: string, header: Header): Promise<MetadataFacts> {
  const { jsonMetadataOffset: offset, jsonMetadataLength: length, internalCompression } = header;
  const { buffer } = await bucket.getBytes(key, { offset, length });
  const json = await parseMetadata(buffer, internalCompression);
  const { success, data, error } = metadataSchema.safeParse(json);
  if (!success) {
    const [issue] = error.issues;
    throw invalidArchive(`its metadata is not right at "${issue?.path.join('.')}": ${issue?.message}`);
  }
  return {
    name: data.name || null,
    description: data.description ?? null,
    attribution: data.attribution ?? null,
    releaseId: data.data_release ?? null,
    vectorLayers: data.vector_layers,
  };
}

async function parseMetadata(stored: ArrayBuffer, compression: Compression): Promise<unknown> {
  try {
    const bytes = compression === Compression.Gzip ? await inflate(stored, MAX_METADATA_BYTES) : stored;
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw invalidArchive('its metadata is not JSON, or unpacks to more than 1 MiB');
  }
}
