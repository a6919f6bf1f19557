import { LEVELS, type Level } from '../shared/levels.ts';
import type { ChosenFile, SavedFile } from './choice.ts';

/** How one tool reads a file. */
export interface Recipe {
  readonly tool: string;
  /** The line to use. */
  readonly line: string;
}

/** The columns of codes: programs that guess take them for numbers, and drop the zero at their beginning. */
const CODE_COLUMNS: Readonly<Record<Level, readonly string[]>> = {
  region: ['code'],
  province: ['code', 'r_code'],
  municity: ['code', 'p_code', 'host_province_code', 'r_code'],
  submunicipality: ['code', 'm_code', 'r_code'],
  barangay: ['code', 'sm_code', 'm_code', 'p_code', 'r_code'],
};

/** Stands in URLs of layers where a session belongs. */
const SESSION = 'SESSION';

/** The URL of a file for tools that send no headers. */
export function addressOf({ href, hasBoundaries }: SavedFile, session = SESSION): string {
  if (!hasBoundaries) return href;
  return `${href}${href.includes('?') ? '&' : '?'}session=${session}`;
}

/** The lines for a file, the tool that suits it best first. docs/clients.md has each of them, with what it needs. */
export function recipesFor(file: ChosenFile): Recipe[] {
  return file.stored ? storedRecipes(file) : madeRecipes(file);
}

/** pandas needs to be told which columns are text, even of a workbook whose cells are. */
function pandasRecipe(reader: 'read_csv' | 'read_excel', read: string, level: Level): Recipe {
  const types = CODE_COLUMNS[level].map((name) => `"${name}": str`);
  return { tool: 'pandas', line: `pandas.${reader}(${read}, dtype={${types.join(', ')}})` };
}

/** R needs to be told too. */
function tableRecipes(read: string, level: Level): Recipe[] {
  const classes = CODE_COLUMNS[level].map((name) => `${name} = "character"`);
  return [
    pandasRecipe('read_csv', read, level),
    { tool: 'R', line: `read.csv(${read}, colClasses = c(${classes.join(', ')}))` },
  ];
}

/** The lines for a file that is made with a release: tools read it, or a part of it, at its URL. */
function storedRecipes(file: ChosenFile): Recipe[] {
  const address = addressOf(file);
  const quoted = JSON.stringify(address);
  const [pandas, r] = tableRecipes(quoted, file.level) as [Recipe, Recipe];
  const curl: Recipe = { tool: 'curl', line: `curl -fL -C - -o ${file.name} "${address}"` };
  switch (file.format) {
    case 'fgb':
      return [
        { tool: 'GDAL', line: `ogr2ogr -spat 123.2 9.4 124.1 11.4 cebu.gpkg "/vsicurl/${address}"` },
        { tool: 'QGIS', line: `Layer ▸ Add Vector Layer ▸ Protocol: HTTP(S) ▸ ${address}` },
        { tool: 'GeoPandas', line: `geopandas.read_file("/vsicurl/${address}", bbox=(123.2, 9.4, 124.1, 11.4))` },
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
      return [
        { tool: 'Browser', line: `(await (await fetch(${quoted})).json()).objects.${LEVELS[file.level].plural}` },
        curl,
      ];
    case 'csv':
      return [pandas, { tool: 'DuckDB', line: `SELECT * FROM read_csv('${address}', all_varchar = true)` }, r, curl];
    case 'csv.gz':
      return [pandas, curl];
    default:
      return [{ tool: 'pandas', line: `pandas.read_json(${quoted}, lines=True, dtype=False)` }, curl];
  }
}

/** The lines for a file that is made when it is asked for: it has no ranges, so that tools read it once it is saved. */
function madeRecipes(file: ChosenFile): Recipe[] {
  const { name, format, level } = file;
  const quoted = JSON.stringify(name);
  const curl: Recipe = { tool: 'curl', line: `curl -fL -o ${name} "${addressOf(file)}"` };
  const geopandas: Recipe = { tool: 'GeoPandas', line: `geopandas.read_file(${quoted})` };
  const layer = LEVELS[level].plural;
  switch (format) {
    case 'csv':
      return [
        curl,
        ...tableRecipes(quoted, level),
        { tool: 'DuckDB', line: `SELECT * FROM read_csv('${name}', all_varchar = true)` },
      ];
    case 'xlsx':
      return [curl, pandasRecipe('read_excel', quoted, level)];
    case 'parquet':
      return [
        curl,
        { tool: 'GeoPandas', line: `geopandas.read_parquet(${quoted})` },
        { tool: 'DuckDB', line: `SELECT count(*) FROM read_parquet('${name}')` },
      ];
    default:
      return [
        curl,
        { tool: 'GDAL', line: `ogrinfo -so ${name} ${layer}` },
        { tool: 'QGIS', line: `Layer ▸ Add Vector Layer ▸ File ▸ ${name}` },
        geopandas,
        { tool: 'R', line: `sf::st_read(${quoted})` },
      ];
  }
}
