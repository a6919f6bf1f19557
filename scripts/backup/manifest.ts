import { createHash } from 'node:crypto';
import { z } from 'zod';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const whole = z.number().int().min(0);
/** A name that needs no care between quotes in SQL. */
const name = z.string().regex(/^[a-z_][a-z0-9_]*$/);
const blob = z.object({ sha256, bytes: whole });

/** What one backup consists of. It is written last, and names everything else by its SHA-256. */
const manifest = z.object({
  format: z.literal(1),
  /** The moment of the database, RFC 3339 in UTC. */
  created_at: z.iso.datetime(),
  /** The version of the service whose command made it. */
  version: z.string(),
  /** The hashes of the migrations that the database has, in their order. */
  migrations: z.array(z.string()).min(1),
  /** In an order in which foreign keys lead back only. A part is gzip of what COPY writes as text. */
  tables: z.array(z.object({ name, columns: z.array(name).min(1), rows: whole, parts: z.array(blob) })),
  sequences: z.array(z.object({ name, last_value: z.string().regex(/^-?\d+$/), is_called: z.boolean() })),
  objects: z.array(blob.extend({ key: z.string().min(1), etag: z.string(), content_type: z.string().nullable() })),
  /** Objects that the database names, and the bucket did not have. */
  missing: z.array(z.string()),
});

export type Manifest = z.output<typeof manifest>;
export type DumpedTable = Manifest['tables'][number];
export type DumpedSequence = Manifest['sequences'][number];
export type KeptObject = Manifest['objects'][number];
/** Bytes that a place for backups has, by their SHA-256. */
export type Blob = z.output<typeof blob>;

/** `2026-11-28T230633Z-` and the beginning of the SHA-256 of the text, so that ids are in the order of time. */
const ID = /^\d{4}-\d\d-\d\dT\d{6}Z-([0-9a-f]{16})$/;

export function isId(id: string): boolean {
  return ID.test(id);
}

/** A manifest as it is stored, and its id. */
export function written(content: Manifest): { id: string; text: string } {
  const text = JSON.stringify(content);
  const moment = `${content.created_at.slice(0, 19).replaceAll(':', '')}Z`;
  return { id: `${moment}-${digestOf(text)}`, text };
}

/**
 * Reads a manifest.
 *
 * @throws Error if its id is that of another text, or a later version wrote it
 */
export function readManifest(id: string, text: string): Manifest {
  if (ID.exec(id)?.[1] !== digestOf(text)) throw new Error(`The manifest of ${id} was changed after it was written.`);
  const content = JSON.parse(text) as { format?: unknown };
  if (content.format !== 1) {
    throw new Error(
      `The backup ${id} has format ${content.format}, and this version reads format 1: take a newer one.`,
    );
  }
  return manifest.parse(content);
}

/** Everything that a backup consists of, each once. */
export function blobsOf({ tables, objects }: Manifest): Blob[] {
  const all = [...tables.flatMap(({ parts }) => parts), ...objects];
  return [...new Map(all.map(({ sha256, bytes }) => [sha256, { sha256, bytes }])).values()];
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
