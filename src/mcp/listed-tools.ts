import { toJSONSchema, type ZodObject } from 'zod';
import { TOOLS } from './tools/registry.ts';

/** The tools as `tools/list` names them. Only the build makes it, so that the Worker has nothing that writes JSON Schemas. */
export function listTools(): object[] {
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
