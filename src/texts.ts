import { toJSONSchema, type ZodObject } from 'zod';
import { app } from './app.ts';
import { LEVELS } from './areas/levels.ts';
import { TOOLS } from './mcp/tools/registry.ts';
import { makeDocument } from './openapi/document.ts';
import { guide } from './openapi/guide.ts';
import { llmsText } from './openapi/llms.ts';
import { VERSION } from './version.ts';

// The build of the pages imports this file, and the Worker does not: it serves the texts from its static assets, so its code
// does not contain what only they need.

const TAGS = [
  ...Object.values(LEVELS).map(({ plural, nouns }) => ({
    name: plural,
    description: `Lists, search and single records of ${nouns}, with their boundaries`,
  })),
  { name: 'search', description: 'Places of all levels by name' },
  { name: 'geocode', description: 'The areas in which a point lies' },
  { name: 'analysis', description: 'Areas around a point and in a polygon' },
  { name: 'match', description: 'Codes for lists of places' },
  { name: 'sources', description: 'Where the data comes from' },
  { name: 'editions', description: 'The PSGC through time: its editions, what changed, codes of one in another' },
  { name: 'downloads', description: 'Whole levels as files, for spreadsheets, GIS and notebooks' },
  {
    name: 'ogc',
    description:
      'OGC API – Features and Tiles at `/ogc`, for QGIS, ArcGIS, GDAL and R. Its definition is a document of its own, in OpenAPI 3.0: `/ogc/api`',
  },
  { name: 'account', description: 'Your account: its export and its deletion' },
  { name: 'api-keys', description: 'Your API keys and their usage' },
  { name: 'webhook-endpoints', description: 'Webhook endpoints of your account, which receive events' },
  { name: 'datasets', description: 'Data of your own: features and the files they came in' },
  { name: 'features', description: 'The features of your datasets: geometry and properties' },
  { name: 'tiles', description: 'Vector tiles of the boundaries, for maps' },
  { name: 'webhooks', description: 'Where the identity and the email provider send their events' },
  { name: 'admin', description: 'For administrators' },
  { name: 'status', description: 'Index, version and health' },
];

/** The texts that follow from the source alone, by the names of their files. `{origin}` stands for the origin of the service. */
export function makeTexts(): Record<string, string> {
  const document = makeDocument(app, TAGS, VERSION);
  return {
    'openapi.json': JSON.stringify(document),
    'llms.txt': llmsText(document),
    'guide.md': guide(),
    'tools.json': JSON.stringify(listTools()),
  };
}

/** The tools as `tools/list` names them. Only the build makes it, so that the Worker has nothing that writes JSON Schemas. */
function listTools(): object[] {
  return TOOLS.map(({ name, title, description, input, output }) => ({
    name,
    title,
    description,
    inputSchema: schemaOf(input, 'input'),
    outputSchema: schemaOf(output, 'output'),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  }));
}

function schemaOf(schema: ZodObject, io: 'input' | 'output'): object {
  return toJSONSchema(schema, { io });
}
