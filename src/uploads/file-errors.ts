import { DomainError, type ErrorCode } from '../errors.ts';
import { GeometryFault } from '../geojson/geometry.ts';
import { FileFault, LayerFault } from './formats/format.ts';

/** Errors that the database raises about the coordinates of a file. */
const COORDINATE_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['invalid_geometry', 'unsupported_srid']);

const PROJECTED = ' If its coordinates are not in degrees, send the number of their reference system as srid.';

/** The client error for an error caused by the file; undefined for any other error. */
export function fileErrorOf(error: unknown): DomainError | undefined {
  if (error instanceof FileFault) {
    const location = error.location === undefined ? '' : ` (${error.location})`;
    const facts = error instanceof LayerFault ? { layers: error.layers } : {};
    return new DomainError('invalid_file', `file: ${error.message}${location}.`, { facts });
  }
  if (error instanceof GeometryFault) {
    const hint = error.facts.isProjected ? PROJECTED : '';
    return new DomainError('invalid_geometry', `file: ${error.text}.${hint}`, { facts: { path: error.path } });
  }
  return error instanceof DomainError && COORDINATE_ERRORS.has(error.code) ? error : undefined;
}
