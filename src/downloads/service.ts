import type { DownloadFormat, DownloadKind } from '../areas/snapshot/download-names.ts';
import type { Resolution } from '../areas/store.ts';
import { EVERYTHING, sessionEnd, signLinkSession } from '../auth/link-sessions.ts';
import type { ServiceContext } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Encoding } from '../http/codings.ts';
import type { Download, StoredFile } from './download.ts';
import { findServed, listPublished, type PublishedFiles } from './published.ts';
import { DOWNLOAD_SESSIONS } from './sessions.ts';

/** Filter of files; all conditions must hold. */
export interface DownloadFilter {
  readonly level?: DownloadKind['level'] | undefined;
  readonly format?: DownloadFormat | undefined;
  readonly resolution?: Resolution | undefined;
  readonly edition?: string | undefined;
}

/**
 * The published files of all editions, or of the requested one.
 *
 * @throws DomainError `edition_not_found` naming the editions that have files
 */
export async function listDownloads(
  ctx: ServiceContext,
  { level, format, resolution, edition }: DownloadFilter,
): Promise<{ published: PublishedFiles[]; files: Download[] }> {
  const published = await listPublished(ctx);
  requireEdition(published, edition);
  const files = published
    .flatMap((it) => it.files)
    .filter(
      (file) =>
        (edition === undefined || file.edition === edition) &&
        (level === undefined || file.level === level) &&
        (format === undefined || file.format === format) &&
        (resolution === undefined || file.resolution === resolution),
    );
  return { published, files };
}

/** @throws DomainError `edition_not_found` naming the editions that have files */
function requireEdition(published: readonly PublishedFiles[], edition: string | undefined): void {
  const editions = published.map((it) => it.edition);
  if (edition === undefined || editions.includes(edition)) return;
  const message = `edition: no release of ${edition} is published with files. There are ${editions.join(', ') || 'none'}.`;
  throw new DomainError('edition_not_found', message, { facts: { editions } });
}

/**
 * The object `areas` of the active release, or of the release of an edition, for searching and matching offline.
 *
 * @throws DomainError `edition_not_found` naming the available editions, `snapshot_not_found` if nothing is published
 */
export async function getSnapshot(
  ctx: ServiceContext,
  { edition }: { edition?: string | undefined },
): Promise<StoredFile> {
  const found = await findAnswering(ctx, edition);
  if (found?.areas) return found.areas;
  throw new DomainError('snapshot_not_found', 'No release is published as a snapshot yet.');
}

/**
 * The document of a published release, or its signature.
 *
 * @throws DomainError `release_not_found` for a release that is not published with a document, `signature_not_found`
 */
export async function getReleaseDocument(
  ctx: ServiceContext,
  { release, part }: { release: string; part: 'document' | 'signature' },
): Promise<StoredFile> {
  const published = await listPublished(ctx);
  const found = published.find((it) => it.release === release && it.document);
  if (!found) {
    const ids = published.filter(({ document }) => document).map((it) => it.release);
    const there =
      ids.length > 0 ? `Published are ${ids.slice(0, 20).join(', ')}.` : 'No release is published with one yet.';
    throw new DomainError('release_not_found', `There is no document of a release ${release}. ${there}`);
  }
  const file = found[part];
  if (file) return file;
  throw new DomainError('signature_not_found', `The release ${release} was published without a signature.`);
}

/** Which of the coarse maps; by default that of the regions and provinces. */
interface OverviewWanted {
  readonly edition?: string | undefined;
  readonly level?: 'municity' | undefined;
  /** Those the caller accepts, best first. */
  readonly encodings: readonly Encoding[];
}

/**
 * The map of regions and provinces, or of a municipal level, of the active release, or of the release of an edition.
 *
 * @throws DomainError `edition_not_found` naming the available editions, `overview_not_found` if the release has no
 * boundaries or was published without an overview
 */
export async function getOverview(
  ctx: ServiceContext,
  { edition, level, encodings }: OverviewWanted,
): Promise<{ file: StoredFile; encoding?: Encoding | undefined; attribution: string }> {
  const found = await findAnswering(ctx, edition);
  const which = level === 'municity' ? 'overview-municities' : 'overview';
  for (const encoding of [...encodings, undefined]) {
    const file = found?.overview(which, encoding);
    if (found && file) return { file, encoding, attribution: found.attribution };
  }
  const whose = found ? `The release ${found.release} has no overview` : 'No release is published with an overview yet';
  const lists = level === 'municity' ? 'GET /v1/municities has' : 'GET /v1/regions and GET /v1/provinces have';
  const message = `${whose}${level === 'municity' ? ' of municities' : ''}. ${lists} its names, and with a key its boundaries.`;
  throw new DomainError('overview_not_found', message);
}

/**
 * The published files of the active release, or of the release of an edition.
 *
 * @throws DomainError `edition_not_found` naming the editions that have files
 */
async function findAnswering(ctx: ServiceContext, edition: string | undefined): Promise<PublishedFiles | undefined> {
  // The active release may have been published without files while others have them.
  if (edition === undefined) return findServed(ctx);
  const published = await listPublished(ctx);
  requireEdition(published, edition);
  return published.find((it) => it.edition === edition);
}

/** @throws DomainError `download_not_found` naming the files of the newest release */
export async function getDownload(ctx: ServiceContext, { id }: { id: string }): Promise<Download> {
  const published = await listPublished(ctx);
  return published.flatMap(({ files }) => files).find((file) => file.id === id) ?? notFound([id], published);
}

/**
 * Creates a session for tools that can't send headers. A session made with a key expires with it at the latest.
 *
 * @param input `ids`: files the session opens. Default: all files, including those published later
 * @throws DomainError `download_not_found`
 */
export async function createDownloadSession(
  ctx: ServiceContext,
  { ids, ttlSeconds }: { ids?: readonly string[] | undefined; ttlSeconds?: number | undefined },
): Promise<{ session: string; expiresAt: Date; files: Download[] }> {
  const published = await listPublished(ctx);
  const all = published.flatMap(({ files }) => files);
  const missing = ids?.filter((id) => !all.some((file) => file.id === id)) ?? [];
  if (missing.length > 0) notFound(missing, published);
  const files = ids ? all.filter(({ id }) => ids.includes(id)) : all;
  const expiresAt = sessionEnd(ctx.principal, ttlSeconds);
  const names = ids ?? [EVERYTHING];
  const session = await signLinkSession(ctx.config.TILE_SESSION_SECRET[0], DOWNLOAD_SESSIONS, { names, expiresAt });
  return { session, expiresAt, files };
}

function notFound(ids: readonly string[], [newest]: readonly PublishedFiles[]): never {
  const downloads = newest?.files.map(({ id }) => id) ?? [];
  const there =
    downloads.length > 0
      ? `Those of the release ${newest?.release} are named like ${downloads[0]}: see GET /v1/downloads.`
      : 'No release is published with files yet.';
  throw new DomainError('download_not_found', `There is no file ${ids.join(', ')}. ${there}`, { facts: { downloads } });
}
