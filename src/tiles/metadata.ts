import { Compression, type Header } from 'pmtiles';
import { z } from 'zod';
import type { ArchiveFacts } from './archive.ts';
import { invalidArchive, MAX_METADATA_BYTES } from './header.ts';
import { inflate } from './inflate.ts';

/** Text that the database can keep, of limited length. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((string) => string.isWellFormed() && !string.includes('\0'), 'must be text without NUL');

const zoom = z.number().int().min(0).max(30).optional();

/** The members of an archive's JSON metadata that are read; others are of no concern. */
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

/**
 * What the metadata of a stored archive says.
 *
 * @throws DomainError `invalid_archive`
 */
export async function metadataOf(
  bucket: R2Bucket,
  key: string,
  { jsonMetadataOffset: offset, jsonMetadataLength: length, internalCompression }: Header,
): Promise<Pick<ArchiveFacts, 'description' | 'attribution' | 'vectorLayers' | 'releaseId'> & { name: string | null }> {
  const object = await bucket.get(key, { range: { offset, length } });
  if (!object) throw new Error(`${key} was stored and is not there`);
  const stored = await object.arrayBuffer();
  const { success, data, error } = metadataSchema.safeParse(await parsed(stored, internalCompression));
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

async function parsed(stored: ArrayBuffer, compression: Compression): Promise<unknown> {
  try {
    const bytes = compression === Compression.Gzip ? await inflate(stored, MAX_METADATA_BYTES) : stored;
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw invalidArchive('its metadata is not JSON, or unpacks to more than 1 MiB');
  }
}
