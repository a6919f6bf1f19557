import type { NewGeometry, Origin } from '../../features/feature.ts';
import { checkedGeometry } from '../../features/new-feature.ts';
import { WGS84 } from '../../geojson/domains.ts';
import type { CheckedGeometry, Path } from '../../geojson/geometry.ts';

/** The geometry of a feature, with where it stands in its file if only the database can tell whether it can be transformed. */
export type FileGeometry = NewGeometry & { readonly origin?: Origin };

interface GeometryOptions {
  readonly srid: number;
  readonly textOf?: (checked: CheckedGeometry) => string | undefined;
}

/**
 * The geometry to store for one of a file, as `checkedGeometry` gives it.
 *
 * @param path where the value stands in its document
 * @throws GeometryFault with the location of the fault
 */
export function geometryInFile(value: unknown, path: Path, { srid, textOf }: GeometryOptions): FileGeometry {
  let isPlain = true;
  const geometry = checkedGeometry(value, path, {
    srid,
    textOf: (checked) => {
      isPlain = checked.plain;
      return textOf?.(checked);
    },
  });
  if (srid === WGS84 || geometry.type === 0) return geometry;
  return { ...geometry, origin: { path, ...(isPlain ? {} : { given: JSON.stringify(value) }) } };
}
