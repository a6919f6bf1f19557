interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly in: string; readonly schema: { readonly deprecated?: boolean } }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: object }>>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** Families of operations without types in clients. */
const LEFT_OUT = ['admin', 'webhooks', 'status'];

/**
 * The part of the OpenAPI document that clients have types of: the public operations with requests and successful
 * responses. Errors are the client's own.
 */
export function clientDocument(given: object): object {
  const { openapi, info, paths, components } = given as Document;
  const published = Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .map(([path, methods]) => {
      const own = Object.entries(methods).filter(([, { tags }]) => !LEFT_OUT.includes(tags[0] ?? ''));
      return [
        path,
        Object.fromEntries(own.map(([method, operation]) => [method, withoutRefusals(operation)])),
      ] as const;
    })
    .filter(([, methods]) => Object.keys(methods).length > 0);
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (name !== '$ref' || typeof member !== 'string') visit(member);
      else {
        const schema = member.split('/').at(-1) ?? '';
        if (used.has(schema)) continue;
        used.add(schema);
        visit(components.schemas[schema]);
      }
    }
  };
  visit(published);
  const schemas = Object.fromEntries(Object.entries(components.schemas).filter(([name]) => used.has(name)));
  const { title, version } = info;
  return { openapi, info: { title, version }, paths: Object.fromEntries(published), components: { schemas } };
}

function withoutRefusals({ operationId, parameters = [], requestBody, responses }: Operation): object {
  const { description, content } = responses[200] ?? { description: '' };
  return {
    operationId,
    parameters: parameters.filter((parameter) => parameter.in !== 'header' && !parameter.schema.deprecated),
    ...(requestBody && { requestBody }),
    responses: { 200: { description, ...(content && { content }) } },
  };
}
