import type { Column, Value } from '../layer-files/columns.ts';
import type { Box } from '../layer-files/shapes.ts';

/** The GeoJSON text of an area (RFC 7946) around the text of its boundary. */
export function featureText(
  { code, values, box }: { code: string; values: readonly Value[]; box: Box },
  columns: readonly Column[],
  boundary: string,
): string {
  const properties = JSON.stringify(Object.fromEntries(columns.map(({ name }, i) => [name, values[i]])));
  return `{"type":"Feature","id":"${code}","bbox":${JSON.stringify(box)},"properties":${properties},"geometry":${boundary}}`;
}
