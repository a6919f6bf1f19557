import { SHAPE_TYPES } from './shapes.ts';

// FlatGeobuf 3 (https://github.com/flatgeobuf/flatgeobuf/tree/master/src/fbs): magic bytes, header, optional index,
// features. Header and features are FlatBuffers prefixed with their lengths.

/** `fgb`, version 3, `fgb`, and a patch version that readers ignore. */
export const MAGIC = Uint8Array.of(0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 1);

/** Positions of fields in tables, and the number of fields of a table. */
export const HEADER = {
  fields: 14,
  name: 0,
  envelope: 1,
  type: 2,
  hasZ: 3,
  columns: 7,
  count: 8,
  nodeSize: 9,
  crs: 10,
  description: 12,
} as const;
export const COLUMN = { fields: 11, name: 0, type: 1 } as const;
export const CRS = { fields: 6, org: 0, code: 1, wkt: 4, codeText: 5 } as const;
export const FEATURE = { fields: 3, geometry: 0, properties: 1, columns: 2 } as const;
export const GEOMETRY = { fields: 8, ends: 0, xy: 1, z: 2, type: 6, parts: 7 } as const;

/** The numbers of types of geometry; those of curves and surfaces are greater. */
export const TYPES = { unknown: 0, ...SHAPE_TYPES } as const;

/** The numbers of types of columns. */
export const COLUMNS = {
  byte: 0,
  ubyte: 1,
  bool: 2,
  short: 3,
  ushort: 4,
  int: 5,
  uint: 6,
  long: 7,
  ulong: 8,
  float: 9,
  double: 10,
  string: 11,
  json: 12,
  dateTime: 13,
  binary: 14,
} as const;
