import { DomainError } from '../errors.ts';
import { GeometryFault, pathText } from '../geojson/geometry.ts';
import { FileFault } from './formats/format.ts';

/** That a file can't be read, as the client is told. */
export type FaultyFile = DomainError;

/** What is said of coordinates once they are stored. */
const OF_COORDINATES: ReadonlySet<string> = new Set(['invalid_geometry', 'unsupported_srid']);

const PROJECTED = ' If its coordinates are not in degrees, send the number of their reference system as srid.';

/** What a client is told of an error, if it is their file's fault. */
export function faultyFile(error: unknown): FaultyFile | undefined {
  if (error instanceof FileFault) {
    const place = error.place === undefined ? '' : ` (${error.place})`;
    return new DomainError('invalid_file', `file: ${error.message}${place}.`);
  }
  if (error instanceof GeometryFault) {
    const at = error.path.length === 0 ? '' : `${pathText(error.path)}: `;
    const hint = error.isProjected ? PROJECTED : '';
    return new DomainError('invalid_geometry', `file: ${at}${error.message}.${hint}`, { path: error.path });
  }
  return error instanceof DomainError && OF_COORDINATES.has(error.code) ? error : undefined;
}
