import { FileFault } from './format.ts';

/** Names of WGS 84 with longitude first, as older GeoJSON (2008) had them. */
const WGS84 = /^(urn:ogc:def:crs:(OGC:[\d.]{0,16}:CRS84|EPSG:[\d.]{0,16}:4326)|EPSG:4326|OGC:CRS84)$/i;

/**
 * GeoJSON of 2008 could name a reference system. One that is not WGS 84 would put everything elsewhere.
 *
 * @throws FileFault
 */
export function requireWgs84(crs: unknown): void {
  if (crs === undefined || crs === null) return;
  const name = (crs as { properties?: { name?: unknown } }).properties?.name;
  if (typeof name === 'string' && WGS84.test(name)) return;
  const srid = typeof name === 'string' ? /EPSG:(?:[\d.]{0,16}:)?(\d{4,6})$/i.exec(name.slice(-64))?.[1] : undefined;
  const hint = srid ? `send srid=${srid} with the file` : 'send the number of its reference system as srid';
  throw new FileFault(`crs: is not WGS 84, which GeoJSON is in (RFC 7946, 4); ${hint}`);
}
