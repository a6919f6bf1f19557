import { codeBox, coloured, wrappable } from './code.ts';
import { memberList, parameterList, typeOf } from './fields.ts';
import { type Html, html } from './html.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import { exampleOf, type OpenApi, type Operation, resolveSchema, type Schema, sentExampleOf } from './openapi.ts';
import recorded from './recorded-answers.json' with { type: 'json' };
import { samplesOf, sentValues } from './samples.ts';

/** What a service answered to the samples, by operation. */
const ANSWERS: Readonly<Record<string, unknown>> = recorded;

/** An operation, and where it is served. */
export interface Placed {
  path: string;
  method: string;
  operation: Operation;
}

export function verb(method: string): Html {
  return html`<span class="verb ${method}">${method === 'delete' ? 'DEL' : method.toUpperCase()}</span>`;
}

/** Everything about one operation: parameters, responses, samples, and an example of a response. */
export function operationSection(document: OpenApi, { path, method, operation }: Placed): Html {
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const json = requestBody?.content['application/json'];
  const form = requestBody?.content['multipart/form-data'];
  const [type] = Object.keys(requestBody?.content ?? {});
  const [first = '', ...rest] = (description ?? '').split('\n\n');
  const sample = json && JSON.stringify(json.example ?? sentExampleOf(document, json.schema), null, 2);
  return html`<article class="operation" id="${operationId}" data-method="${method}" data-path="${path}"${
    type && html` data-sends="${json ? 'application/json' : type}"`
  }${sample && html` data-body="${sample}"`} aria-labelledby="title-${operationId}">
      <div class="said">
        <h2 id="title-${operationId}"><a href="#${operationId}">${summary}</a></h2>
        <p class="address">${verb(method)} <code>${wrappable(path)}</code></p>
        <p class="access">${accessOf(operation)}</p>
        ${first && markdown(first)}
      </div>
      <div class="shown">${samples(document, path, method, operation)}${example(document, operation)}</div>
      <div class="said">
        ${rest.length > 0 && markdown(rest.join('\n\n'))}
        ${parameters.length > 0 && html`<h3>Parameters</h3>${parameterList(document, operationId, parameters, sentValues(document, operation))}`}
        ${json && html`<h3>Body <span class="type">application/json</span></h3>${bodyOf(document, operationId, json.schema)}`}
        ${form && html`<h3>Body <span class="type">multipart/form-data</span></h3>${memberList(document, form.schema, { owner: operationId, form: true })}`}
        ${answers(document, operation)}
      </div>
    </article>`;
}

/** Successful responses, and after a line those of errors, which are many and alike. */
function answers(document: OpenApi, { responses }: Operation): Html {
  const all = Object.entries(responses);
  const good = all.filter(([status]) => Number(status) < 400);
  const bad = all.filter(([status]) => Number(status) >= 400);
  const list = (some: typeof all) =>
    html`<dl class="answers">${some.map(([status, answer]) => answerItem(document, status, answer))}</dl>`;
  return html`<h3>Answers</h3>${list(good)}${
    bad.length > 0 &&
    html`<details class="errors"><summary>Errors: ${bad.map(([status]) => status).join(', ')}</summary>${list(bad)}<p>Each has a code for programs: <a href="/docs#errors">all codes</a>.</p></details>`
  }`;
}

function bodyOf(document: OpenApi, owner: string, schema: Schema): Html {
  return resolveSchema(document, schema).properties
    ? memberList(document, schema, { owner })
    : html`<p>${typeOf(document, schema)}</p>`;
}

/** A sentence that says who may call an operation. */
function accessOf({ security, parameters = [] }: Operation): string {
  if (security.length === 0) return 'For everyone; credentials are not looked at.';
  const free = security.some((way) => Object.keys(way).length === 0);
  const scope = security.flatMap(({ bearer = [] }) => bearer)[0];
  const needed = scope === undefined ? '' : ` A key that is limited to scopes needs ${scope}.`;
  const other = security.flatMap((way) => Object.keys(way)).find((scheme) => scheme !== 'bearer');
  const paid = parameters.some(({ name }) => name === 'geometry') ? ', but for geometry and GeoJSON' : '';
  if (free) return `Free without a key${paid}.${needed}`;
  if (scope === 'admin') return 'For administrators.';
  return `Needs a key or a session${other ? `, or ${other.replaceAll('_', ' ')} in the address` : ''}.${needed}`;
}

function answerItem(document: OpenApi, status: string, answer: Operation['responses'][string]): Html {
  const content = Object.entries(answer.content ?? {});
  const headers = Object.entries(answer.headers ?? {});
  const kinds = content.map(([type, { schema }]) => {
    const shown = Number(status) < 400 ? payloadOf(document, schema) : schema;
    return html`<li><code>${wrappable(type)}</code> ${shown && typeOf(document, shown)}</li>`;
  });
  return html`<div class="s${status[0]}"><dt>${status}</dt><dd>${inlineMarkdown(answer.description)}${
    (kinds.length > 0 || headers.length > 0) &&
    html`<details><summary>Body and headers</summary><ul>${kinds}${headers.map(
      ([name, { description }]) => html`<li><code>${wrappable(name)}</code> ${description}</li>`,
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
        )}</div></div>
        ${all.map(
          ({ language, code }, i) =>
            html`<div role="tabpanel" id="panel-${operationId}-${i}" aria-labelledby="tab-${operationId}-${i}" tabindex="0"${i > 0 && html` hidden`}><pre>${coloured(code, language)}</pre></div>`,
        )}
      </div>`;
}

/** The recorded answer to the samples; one that is made from the schema where none is recorded. */
function example(document: OpenApi, { operationId, responses }: Operation): Html | undefined {
  const json = responses['200']?.content?.['application/json'];
  if (!json) return undefined;
  const text = JSON.stringify(ANSWERS[operationId] ?? json.example ?? exampleOf(document, json.schema), null, 2);
  return html`<details class="example" open><summary>Example of an answer${
    operationId in ANSWERS && html`<span class="type">, its lists shortened</span>`
  }</summary>${codeBox(text, 'JSON', 'Copy the example')}</details>`;
}
