import type { Download } from '../../clients/typescript/src/types.ts';

/** How one tool reads a file. */
export interface Recipe {
  readonly tool: string;
  /** The line to use. */
  readonly line: string;
}

/** The columns of codes: programs that guess take them for numbers, and drop the zero at their beginning. */
const CODE_COLUMNS: Readonly<Record<Download['level'], readonly string[]>> = {
  region: ['code'],
  province: ['code', 'r_code'],
  municity: ['code', 'p_code', 'host_province_code', 'r_code'],
  submunicipality: ['code', 'm_code', 'r_code'],
  barangay: ['code', 'sm_code', 'm_code', 'p_code', 'r_code'],
};

/** Stands in addresses of layers where a session belongs. */
const SESSION = 'SESSION';

/** The address of a file as tools take it that send no headers. */
function addressOf({ href, resolution }: Download): string {
  return resolution === null ? href : `${href}?session=${SESSION}`;
}

/** The lines for a file, the tool that suits it best first. docs/clients.md has each of them, with what it needs. */
export function recipesFor(file: Download): Recipe[] {
  const address = addressOf(file);
  const quoted = JSON.stringify(address);
  const codes = CODE_COLUMNS[file.level];
  const readCsv = `pandas.read_csv(${quoted}, dtype={${codes.map((name) => `"${name}": str`).join(', ')}})`;
  const curl: Recipe = {
    tool: 'curl',
    line: `curl -fL -C - -o ${file.id} "${address}"`,
  };
  switch (file.format) {
    case 'fgb':
      return [
        { tool: 'GDAL', line: `ogr2ogr -spat 123.2 9.4 124.1 11.4 cebu.gpkg "/vsicurl/${address}"` },
        { tool: 'QGIS', line: `Layer ▸ Add Vector Layer ▸ Protocol: HTTP(S) ▸ ${address}` },
        {
          tool: 'GeoPandas',
          line: `geopandas.read_file("/vsicurl/${address}", bbox=(123.2, 9.4, 124.1, 11.4))`,
        },
        { tool: 'R', line: `sf::st_read("/vsicurl/${address}")` },
        {
          tool: 'Browser',
          line: `flatgeobuf.deserialize(${quoted}, { rect: { minX: 123.2, minY: 9.4, maxX: 124.1, maxY: 11.4 } })`,
        },
        curl,
      ];
    case 'parquet':
      return [
        {
          tool: 'GeoPandas',
          line: `geopandas.read_parquet(${quoted}, bbox=(123.2, 9.4, 124.1, 11.4), storage_options={"block_size": 65536})`,
        },
        { tool: 'DuckDB', line: `SELECT count(*) FROM read_parquet('${address}')` },
        curl,
      ];
    case 'geojson.gz':
      return [{ tool: 'GDAL', line: `ogr2ogr areas.gpkg "/vsigzip//vsicurl/${address}"` }, curl];
    case 'topojson':
      return [{ tool: 'Browser', line: `(await (await fetch(${quoted})).json()).objects.${pluralOf(file)}` }, curl];
    case 'csv':
      return [
        { tool: 'pandas', line: readCsv },
        { tool: 'DuckDB', line: `SELECT * FROM read_csv('${address}', all_varchar = true)` },
        {
          tool: 'R',
          line: `read.csv(${quoted}, colClasses = c(${codes.map((name) => `${name} = "character"`).join(', ')}))`,
        },
        curl,
      ];
    case 'csv.gz':
      return [{ tool: 'pandas', line: readCsv }, curl];
    default:
      return [{ tool: 'pandas', line: `pandas.read_json(${quoted}, lines=True, dtype=False)` }, curl];
  }
}

function pluralOf({ id, release }: Download): string {
  return id.slice(release.length + 1).split('.')[0] ?? '';
}
