import { wrappable } from './code.ts';
import { type Html, html } from './html.ts';
import { inlineMarkdown } from './markdown.ts';
import { nameOf, type OpenApi, type Parameter, resolveSchema, type Schema } from './openapi.ts';

/**
 * Parameters as a list of definitions: the type of each, its description, its bounds and an example.
 *
 * @param owner the operation id, the prefix of the anchors
 * @param values the values that the code sample sends, by parameter
 */
export function parameterList(
  document: OpenApi,
  owner: string,
  parameters: readonly Parameter[],
  values: ReadonlyMap<Parameter, string>,
): Html {
  const items = parameters.map((parameter) => {
    const schema = resolveSchema(document, parameter.schema);
    const description = parameter.description ?? schema.description;
    const example = parameter.example ?? schema.example;
    return field(
      document,
      parameter.name,
      { ...schema, ...(description ? { description } : {}), example },
      {
        required: parameter.required ?? false,
        requiredUnless: parameter['x-required-unless'],
        deprecated: parameter.deprecated ?? schema.deprecated ?? false,
        in: parameter.in,
        id: anchorOf(owner, parameter.name),
        formField: {
          name: parameter.name,
          in: parameter.in,
          required: parameter.required ?? false,
          requiredUnless: parameter['x-required-unless'],
          schema,
          example,
          value: values.get(parameter),
        },
      },
    );
  });
  return html`<dl class="fields">${items}</dl>`;
}

/**
 * The members of an object as a list of definitions, with links to named schemas.
 *
 * @param owner the prefix of the anchors of its members: an operation id. Without it they have no anchors.
 * @param form whether the object is a `multipart/form-data` body
 */
export function memberList(
  document: OpenApi,
  given: Schema,
  { owner, form = false }: { owner?: string; form?: boolean } = {},
): Html {
  const schema = resolveSchema(document, given);
  const required = new Set(schema.required);
  const items = Object.entries(schema.properties ?? {}).map(([name, member]) =>
    field(document, name, member, {
      required: required.has(name),
      deprecated: member.deprecated ?? false,
      ...(owner && { id: anchorOf(owner, name) }),
      ...(form && {
        formField: {
          name,
          in: 'form',
          required: required.has(name),
          schema: resolveSchema(document, member),
          example: member.example,
          value: undefined,
        },
      }),
    }),
  );
  return html`<dl class="fields">${items}</dl>`;
}

/** The anchor of a parameter or field: `list_regions.page`. */
export function anchorOf(owner: string, name: string): string {
  return `${owner}.${name}`;
}

interface FieldOptions {
  required: boolean;
  /** The name of the field that may be given instead. */
  requiredUnless?: string | undefined;
  deprecated: boolean;
  /** `path`, `query` or `header`. */
  in?: string;
  id?: string;
  /** Data for the form that sends the request. */
  formField?: FormField;
}

interface FormField {
  name: string;
  in: string;
  required: boolean;
  requiredUnless?: string | undefined;
  schema: Schema;
  example: unknown;
  value: string | undefined;
}

/** The attributes from which the page makes a field of the form. */
function attributesOf({ name, in: location, required, requiredUnless, schema, example, value }: FormField): Html {
  const choices = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  const file = schema.format === 'binary' || schema.contentMediaType !== undefined;
  return html` data-name="${name}" data-in="${location}"${required && html` data-required`}${
    requiredUnless && html` data-required-unless="${requiredUnless}"`
  }${file && html` data-file`}${
    choices && html` data-choices="${JSON.stringify(choices.map(String))}"`
  }${(schema.type === 'integer' || schema.type === 'number') && html` data-number`}${
    example !== undefined && typeof example !== 'object' && html` data-example="${String(example)}"`
  }${value !== undefined && html` data-value="${value}"`}`;
}

function field(
  document: OpenApi,
  name: string,
  schema: Schema,
  { required, requiredUnless, deprecated, in: location, id, formField }: FieldOptions,
): Html {
  const constraints = constraintsOf(schema);
  const described = schema.description ?? (nameOf(schema) ? undefined : resolveSchema(document, schema).description);
  return html`<div${id && html` id="${id}"`}${formField && attributesOf(formField)}><dt><code class="name">${wrappable(name)}</code> <span class="type">${typeOf(document, schema)}</span>${
    location && html` <span class="mark">${location}</span>`
  }${required && html` <span class="mark required">required</span>`}${
    requiredUnless && html` <span class="mark required">required, or ${requiredUnless}</span>`
  }${deprecated && html` <span class="mark">deprecated</span>`}</dt><dd>${described && inlineMarkdown(described)}${
    constraints.length > 0 && html` <span class="facts">${wrappable(constraints.join(' · '))}</span>`
  }</dd></div>`;
}

/** The type of a value in a few words, with links to the schemas that it names. */
export function typeOf(document: OpenApi, schema: Schema): Html {
  const name = nameOf(schema);
  if (name !== undefined) return html`<a href="/docs/schemas#schema-${name}">${name}</a>`;
  if (schema.title !== undefined) return html`${schema.title}`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices)
    return joined(
      choices.map((choice) => typeOf(document, choice)),
      ' or ',
    );
  if (schema.enum)
    return joined(
      schema.enum.map((value) => html`<code>${wrappable(JSON.stringify(value))}</code>`),
      ' or ',
    );
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const types = [schema.type ?? 'any'].flat();
  if (types.includes('array')) {
    // Tuples in the document are positions or boxes, of numbers only.
    if (schema.prefixItems) return html`${schema.prefixItems.length} numbers${types.includes('null') && ' or null'}`;
    return html`array of ${schema.items ? typeOf(document, schema.items) : 'anything'}`;
  }
  return html`${types.join(' or ')}${schema.format && ` (${schema.format})`}`;
}

function joined(parts: readonly Html[], separator: string): Html {
  return html`${parts.map((part, i) => (i === 0 ? part : html`${separator}${part}`))}`;
}

/** Bounds, default and example, each in a few words. */
function constraintsOf(schema: Schema): string[] {
  const constraints: string[] = [];
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    // The limits of integer types say nothing about the field, so they are not shown.
    const min = least !== undefined && least > -2_147_483_648 ? least : undefined;
    const max = most !== undefined && most < 2_147_483_647 ? most : undefined;
    if (min !== undefined && max !== undefined) constraints.push(`${min} to ${max}${unit}`);
    else if (min !== undefined) constraints.push(`${min}${unit} or more`);
    else if (max !== undefined) constraints.push(`${max}${unit} at most`);
  };
  range(minimum, maximum, '');
  range(minLength, maxLength, ' characters');
  if (!schema.prefixItems) range(minItems, maxItems, ' items');
  if (schema.default !== undefined) constraints.push(`default ${JSON.stringify(schema.default)}`);
  const example = schema.example ?? schema.examples?.[0];
  if (example !== undefined && (typeof example !== 'object' || Array.isArray(example))) {
    constraints.push(`e.g. ${typeof example === 'string' ? example : JSON.stringify(example)}`);
  }
  return constraints;
}
