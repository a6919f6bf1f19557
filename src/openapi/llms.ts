import type { OpenApi } from './document.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

const ABOUT = `\
Rules that requests get wrong most often:

- PSGC codes are text of ten digits with their leading zero: "0702200000". Use them in paths, never the numeric \`id\`.
- JSON without geometry needs no key. \`format=geojson\`, \`geometry=…\`, every POST, reverse geocoding and everything else
  needs \`Authorization: Bearer <API key>\`.
- JSON is \`{ data, meta?, error }\`; GeoJSON is bare, complete and without pages; longitude comes before latitude.
- Cities and municipalities are one level, called municities. They are listed by province or region, barangays by
  municity. A highly urbanized or independent component city belongs to no province, and outside Metro Manila lies in a
  host province. Metro Manila (NCR) has no provinces at all: list its cities by its region.
- Errors are \`{ message, code }\`; 429 has \`Retry-After\` in seconds.`;

const LINKS = `\
## For agents

- [Model Context Protocol]({origin}/mcp): tools that find, match, list and explain places, over Streamable HTTP; with
  \`Authorization: Bearer <API key>\` or, for what is free, without

## Documents

- [OpenAPI 3.1]({origin}/openapi.json): every operation with its parameters, schemas and answers
- [Reference]({origin}/docs): the same for people, with authentication, limits, error codes and licences
- [Sources]({origin}/v1/sources): the data release that is served, its licences and attributions`;

/**
 * The service in the form of llmstxt.org: a summary, the rules that requests break most often, and links to every
 * operation, by tag. `{origin}` stands for the origin of the service.
 */
export function llmsText({ info, tags = [], paths = {} }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      // An operation that is served with and without the prefix is listed once. The reference, where the links lead, does the same.
      return operation && (path === '/' || path.startsWith('/v1/')) ? [{ path, method, operation }] : [];
    }),
  );
  const families = tags.map(({ name, description }) => {
    const lines = operations
      .filter(({ operation }) => operation.tags?.[0] === name)
      .map(
        ({ path, method, operation: { operationId, summary } }) =>
          `- [${method.toUpperCase()} ${path}]({origin}/docs#${operationId}): ${summary}`,
      );
    return `## ${name}\n\n${description}.\n\n${lines.join('\n')}`;
  });
  const summary =
    'REST API for the administrative geography of the Philippines: regions, provinces, cities and municipalities, and barangays by PSGC code, with boundaries and reverse geocoding.';
  return `${[`# ${info.title}`, `> ${summary}`, ABOUT, LINKS, ...families].join('\n\n')}\n`;
}
