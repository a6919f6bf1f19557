import { bytesToHeader, Compression, type Header, TileType } from 'pmtiles';
import { DomainError } from '../errors.ts';
import type { ArchiveFacts } from './archive.ts';

/** The length of the header, with which a PMTiles archive begins. */
export const HEADER_BYTES = 127;

/**
 * Readers fetch these first bytes in one request, so the header and the root directory must lie within them (PMTiles
 * specification, chapter 2).
 */
const FIRST_READ_BYTES = 16_384;

export const MAX_METADATA_BYTES = 1024 * 1024;

/** The highest zoom that web maps use. */
const MAX_ZOOM = 24;

/** The compressions that this service can read. */
const READABLE = [Compression.None, Compression.Gzip];

/**
 * Reads and checks the header of an upload. The upload must be a PMTiles archive of version 3 with vector tiles, whose
 * parts lie within its size and do not overlap.
 *
 * @param bytes the beginning of the upload
 * @param size of the whole upload, bytes
 * @throws DomainError `invalid_archive` saying what is wrong
 */
export function parseHeader(bytes: Uint8Array<ArrayBuffer>, size: number): Header {
  const magic = new TextDecoder('latin1').decode(bytes.subarray(0, 7));
  require(magic === 'PMTiles' && bytes.length >= HEADER_BYTES, 'it does not begin as a PMTiles archive');
  require(bytes[7] === 3, `its version is ${bytes[7]} and not 3`);
  const header = bytesToHeader(bytes.slice(0, HEADER_BYTES).buffer);
  require(header.tileType === TileType.Mvt, 'its tiles are not Mapbox vector tiles');
  require(READABLE.includes(header.tileCompression), 'its tiles are compressed with something else than gzip');
  require(READABLE.includes(
    header.internalCompression,
  ), 'its directories are compressed with something else than gzip');
  const parts: [name: string, offset: number, length: number | undefined][] = [
    ['root directory', header.rootDirectoryOffset, header.rootDirectoryLength],
    ['metadata', header.jsonMetadataOffset, header.jsonMetadataLength],
    ['leaf directories', header.leafDirectoryOffset, header.leafDirectoryLength],
    ['tiles', header.tileDataOffset, header.tileDataLength],
  ];
  for (const [name, offset, length = 0] of parts) {
    const isWithin = length === 0 || (offset >= HEADER_BYTES && offset + length <= size);
    require(isWithin, `its ${name} would lie outside of its ${size} bytes`);
  }
  const { rootDirectoryOffset, rootDirectoryLength, jsonMetadataLength, tileDataLength = 0 } = header;
  require(rootDirectoryLength > 0 && tileDataLength > 0, 'it has no tiles');
  require(rootDirectoryOffset + rootDirectoryLength <= FIRST_READ_BYTES, 'its root directory ends beyond 16,384 bytes');
  require(jsonMetadataLength > 0 &&
    jsonMetadataLength <= MAX_METADATA_BYTES, 'its metadata is missing or beyond 1 MiB');
  const inOrder = parts.filter(([, , length]) => length).sort(([, one], [, other]) => one - other);
  for (const [i, [name, offset]] of inOrder.entries()) {
    const [before, start, length = 0] = inOrder[i - 1] ?? ['header', 0, HEADER_BYTES];
    require(start + length <= offset, `its ${before} and its ${name} overlap`);
  }
  const { minZoom, maxZoom, minLon, minLat, maxLon, maxLat } = header;
  require(minZoom <= maxZoom &&
    maxZoom <= MAX_ZOOM, `its zooms ${minZoom} to ${maxZoom} are not within 0 to ${MAX_ZOOM}`);
  const isExtent =
    minLon >= -180 && minLon < maxLon && maxLon <= 180 && minLat >= -90 && minLat < maxLat && maxLat <= 90;
  require(isExtent, `its bounds ${[minLon, minLat, maxLon, maxLat].join(', ')} are no extent in degrees`);
  return header;
}

/** The facts in a checked header. If the header's centre lies outside of the extent, the extent's own centre is given. */
export function headerFacts(header: Header): Pick<ArchiveFacts, 'minzoom' | 'maxzoom' | 'bounds' | 'center'> {
  const { minZoom, maxZoom, minLon, minLat, maxLon, maxLat, centerLon, centerLat, centerZoom } = header;
  const isInside = centerLon >= minLon && centerLon <= maxLon && centerLat >= minLat && centerLat <= maxLat;
  const [lon, lat] = isInside ? [centerLon, centerLat] : [(minLon + maxLon) / 2, (minLat + maxLat) / 2];
  return {
    minzoom: minZoom,
    maxzoom: maxZoom,
    bounds: [minLon, minLat, maxLon, maxLat],
    center: [lon, lat, Math.min(Math.max(centerZoom, minZoom), maxZoom)],
  };
}

/** @param fault a clause whose subject is the archive */
export function invalidArchive(fault: string): DomainError {
  return new DomainError('invalid_archive', `The body is no archive of tiles that can be served: ${fault}.`);
}

function require(condition: boolean, fault: string): void {
  if (!condition) throw invalidArchive(fault);
}
