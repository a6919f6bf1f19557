import { memberList, parameterList, typeOf } from './fields.ts';
import { type Html, html } from './html.ts';
import { inlineMarkdown, markdown, slugOf } from './markdown.ts';
import { exampleOf, type OpenApi, type Operation, resolveSchema, type Schema } from './openapi.ts';
import { ORIGIN, samplesOf } from './samples.ts';

interface Placed {
  path: string;
  method: string;
  operation: Operation;
}

/**
 * Renders the reference of a service as HTML: a table of contents and the body, both made from its OpenAPI document
 * when the pages are built.
 */
export function renderReference(document: OpenApi): { contents: string; body: string } {
  const guide = document.info.description.replaceAll('http://localhost', ORIGIN);
  const headings = [...guide.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  const families = document.tags
    .map((tag) => ({ tag, operations: operationsOf(document, tag.name) }))
    .filter(({ operations }) => operations.length > 0);
  const schemas = Object.keys(document.components.schemas).sort();

  const contents = html`
    <h2>Guide</h2>
    <ul>${headings.map((heading) => html`<li><a href="#${slugOf(heading)}">${heading}</a></li>`)}</ul>
    ${families.map(
      ({ tag, operations }) => html`<h2>${tag.name}</h2>
    <ul>${operations.map(
      ({ method, operation }) =>
        html`<li><a href="#${operation.operationId}">${verb(method)}<span>${operation.summary}</span></a></li>`,
    )}</ul>`,
    )}
    <h2><a href="#schemas">schemas</a></h2>`;

  const body = html`
    <section class="guide" aria-label="Guide">${markdown(guide)}</section>
    ${families.map(
      ({ tag, operations }) => html`<section class="family" aria-labelledby="tag-${tag.name}">
      <h2 id="tag-${tag.name}">${tag.name}</h2>
      <p class="about">${tag.description}.</p>
      ${operations.map((placed) => operationSection(document, placed))}
    </section>`,
    )}
    <section class="family" aria-labelledby="schemas">
      <h2 id="schemas">schemas</h2>
      <p class="about">What answers and bodies are made of.</p>
      ${schemas.map((name) => schemaSection(document, name))}
    </section>`;
  return { contents: contents.text, body: body.text };
}

function operationsOf(document: OpenApi, tag: string): Placed[] {
  return Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        // Operations that are also served without the prefix `/v1` are shown once.
        .filter(([, operation]) => operation.tags[0] === tag && (path === '/' || path.startsWith('/v1/')))
        .map(([method, operation]) => ({ path, method, operation })),
    )
    .sort((a, b) => rankOf(a) - rankOf(b));
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The order of an operation in its family: a collection before its items, then reading before writing. */
function rankOf({ path, method }: Placed): number {
  const segments = path.split('/');
  const named = segments.filter((segment) => segment.startsWith('{')).length;
  return (named * 10 + segments.length) * 10 + METHODS.indexOf(method);
}

function verb(method: string): Html {
  return html`<span class="verb ${method}">${method === 'delete' ? 'DEL' : method.toUpperCase()}</span>`;
}

function operationSection(document: OpenApi, { path, method, operation }: Placed): Html {
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const json = requestBody?.content['application/json'];
  const form = requestBody?.content['multipart/form-data'];
  return html`<article class="operation" id="${operationId}" data-method="${method}" data-path="${path}" aria-labelledby="title-${operationId}">
      <div class="said">
        <h3 id="title-${operationId}"><a href="#${operationId}">${summary}</a></h3>
        <p class="address">${verb(method)} <code>${path}</code></p>
        <p class="access">${accessOf(operation)}</p>
        ${description && html`<p>${inlineMarkdown(description)}</p>`}
        ${parameters.length > 0 && html`<h4>Parameters</h4>${parameterList(document, parameters)}`}
        ${json && html`<h4>Body <span class="type">application/json</span></h4>${bodyOf(document, json.schema)}`}
        ${form && html`<h4>Body <span class="type">multipart/form-data</span></h4>${bodyOf(document, form.schema)}`}
        <h4>Answers</h4>
        <dl class="answers">${Object.entries(operation.responses).map(([status, answer]) => answerItem(document, status, answer))}</dl>
      </div>
      <div class="shown">${samples(document, path, method, operation)}${example(document, operation)}</div>
    </article>`;
}

function bodyOf(document: OpenApi, schema: Schema): Html {
  return resolveSchema(document, schema).properties
    ? memberList(document, schema)
    : html`<p>${typeOf(document, schema)}</p>`;
}

/** A sentence that says who may call an operation. */
function accessOf({ security }: Operation): string {
  if (security.length === 0) return 'For everyone; credentials are not looked at.';
  const free = security.some((way) => Object.keys(way).length === 0);
  const scope = security.flatMap(({ bearer = [] }) => bearer)[0];
  const needed = scope === undefined ? '' : ` A key that is limited to scopes needs ${scope}.`;
  const other = security.flatMap((way) => Object.keys(way)).find((scheme) => scheme !== 'bearer');
  if (free) return `Free without a key, but for geometry and GeoJSON.${needed}`;
  if (scope === 'admin') return 'For administrators.';
  return `Needs a key or a session${other ? `, or ${other.replaceAll('_', ' ')} in the address` : ''}.${needed}`;
}

function answerItem(document: OpenApi, status: string, answer: Operation['responses'][string]): Html {
  const content = Object.entries(answer.content ?? {});
  const headers = Object.entries(answer.headers ?? {});
  const kinds = content.map(([type, { schema }]) => {
    const shown = Number(status) < 400 ? payloadOf(document, schema) : schema;
    return html`<li><code>${type}</code> ${shown && typeOf(document, shown)}</li>`;
  });
  return html`<div class="s${status[0]}"><dt>${status}</dt><dd>${inlineMarkdown(answer.description)}${
    (kinds.length > 0 || headers.length > 0) &&
    html`<details><summary>Body and headers</summary><ul>${kinds}${headers.map(
      ([name, { description }]) => html`<li><code>${name}</code> ${description}</li>`,
    )}</ul></details>`
  }</dd></div>`;
}

/** The schema of the data in an envelope; the schema itself where it is no envelope. */
function payloadOf(document: OpenApi, schema: Schema): Schema | undefined {
  return resolveSchema(document, schema).properties?.data ?? schema;
}

function samples(document: OpenApi, path: string, method: string, operation: Operation): Html {
  const { operationId } = operation;
  const all = samplesOf(document, path, method, operation);
  return html`<div class="samples">
        <div class="tabs"><div role="tablist" aria-label="Languages">${all.map(
          ({ language }, i) =>
            html`<button type="button" role="tab" id="tab-${operationId}-${i}" aria-controls="panel-${operationId}-${i}" aria-selected="${i === 0 ? 'true' : 'false'}" data-language="${language}"${i > 0 && html` tabindex="-1"`}>${language}</button>`,
        )}</div><button type="button" class="copy" aria-label="Copy the request">Copy</button></div>
        ${all.map(
          ({ code }, i) =>
            html`<div role="tabpanel" id="panel-${operationId}-${i}" aria-labelledby="tab-${operationId}-${i}" tabindex="0"${i > 0 && html` hidden`}><pre><code>${code}</code></pre></div>`,
        )}
      </div>`;
}

function example(document: OpenApi, { responses }: Operation): Html | undefined {
  const json = responses['200']?.content?.['application/json'];
  if (!json) return undefined;
  const text = JSON.stringify(json.example ?? exampleOf(document, json.schema), null, 2);
  return html`<details class="example" open><summary>Example of an answer</summary><pre tabindex="0"><code>${text}</code></pre></details>`;
}

function schemaSection(document: OpenApi, name: string): Html {
  const schema = resolveSchema(document, { $ref: `#/components/schemas/${name}` });
  return html`<article class="schema" id="schema-${name}"><h3><a href="#schema-${name}">${name}</a></h3>${
    schema.description && html`<p>${inlineMarkdown(schema.description)}</p>`
  }${schema.properties ? memberList(document, schema) : html`<p>${typeOf(document, { ...schema, $ref: '' })}</p>`}</article>`;
}
