import { DomainError } from '../errors.ts';
import { GeometryFault, pathText } from './geometry.ts';

/** Throws a GeometryFault as the DomainError `invalid_geometry` with its location, and any other error as it is. */
export function throwInvalidGeometry(error: unknown): never {
  if (!(error instanceof GeometryFault)) throw error;
  const { path, message } = error;
  throw new DomainError('invalid_geometry', `${pathText(path)}: ${message}.`, { facts: { path } });
}
