import { ORIGIN } from './code.ts';
import { exampleOf, type OpenApi, type Operation, type Parameter, sentExampleOf } from './openapi.ts';

export interface Sample {
  readonly language: 'curl' | 'JavaScript' | 'Python';
  readonly code: string;
}

interface Call {
  method: string;
  /** The URL with its query. */
  address: string;
  /** Whether a key must be sent. */
  keyed: boolean;
  /** JSON text. */
  body: string | undefined;
  file: { name: string; type: string } | undefined;
  /** Names of the parts of a form. */
  form: readonly string[] | undefined;
  answer: Reading;
}

/** How a sample reads the answer. Where it is neither JSON nor text, it is stored as `file`. */
type Reading = { as: 'json' | 'text' } | { as: 'bytes'; file: string };

/** The same request in three languages. Its parameters have the examples of the document. */
export function samplesOf(document: OpenApi, path: string, method: string, operation: Operation): Sample[] {
  const call = callOf(document, path, method, operation);
  return [
    { language: 'curl', code: inCurl(call) },
    { language: 'JavaScript', code: inJavaScript(call) },
    { language: 'Python', code: inPython(call) },
  ];
}

/** The request that samples of an operation send. Its path is from the root, with its query. */
export function sampleRequest(document: OpenApi, path: string, method: string, operation: Operation) {
  const { method: verb, address, body, form } = callOf(document, path, method, operation);
  return { method: verb, path: address.slice(ORIGIN.length), body, form };
}

/** The parameters that a sample sends, with their values: examples of the document. */
export function sentValues(document: OpenApi, { parameters = [] }: Operation): Map<Parameter, string> {
  const isNeeded = (it: Parameter) => it.required || it['x-required-unless'] !== undefined;
  const isNarrowed = parameters.some((parameter) => parameter.in === 'query' && isNeeded(parameter));
  const sent = parameters.filter(
    (parameter) =>
      parameter.in === 'path' ||
      (parameter.in === 'query' && (isNeeded(parameter) || (!isNarrowed && ALONE.has(parameter.name)))),
  );
  return new Map(
    sent.map((parameter) => [parameter, String(parameter.example ?? exampleOf(document, parameter.schema))]),
  );
}

function callOf(document: OpenApi, path: string, method: string, operation: Operation): Call {
  const { requestBody, security } = operation;
  const sent = [...sentValues(document, operation)];
  const filled = sent
    .filter(([parameter]) => parameter.in === 'path')
    .reduce((text, [{ name }, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = sent
    .filter(([parameter]) => parameter.in === 'query')
    .map(([{ name }, value]) => `${name}=${encodeURIComponent(value)}`);
  const body = requestBody?.content['application/json'];
  const form = requestBody?.content['multipart/form-data'];
  const [type = ''] = Object.keys(requestBody?.content ?? {});
  const name = filled.split('/').at(-1) ?? '';
  return {
    method: method.toUpperCase(),
    address: `${ORIGIN}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    keyed: security.length > 0 && security.every((way) => Object.keys(way).length > 0),
    body: body && JSON.stringify(body.example ?? sentExampleOf(document, body.schema)),
    file: requestBody && !body && !form ? { name: `${name}.${type.split('.').at(-1)}`, type } : undefined,
    form: form && ['file'],
    answer: readingOf(operation, name),
  };
}

/** Parents of areas, of which one is shown where no parameter is required. */
const ALONE = new Set(['province_code', 'municity_code']);

/** How a sample reads the first media type of an operation's answer. */
function readingOf({ responses }: Operation, name: string): Reading {
  const [type = ''] = Object.keys(responses['200']?.content ?? {});
  if (/[/+]json$/.test(type)) return { as: 'json' };
  return type.startsWith('text/') ? { as: 'text' } : { as: 'bytes', file: name };
}

function inCurl({ method, address, keyed, body, file, form, answer }: Call): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}'${address}'`];
  if (keyed) lines.push(`-H "Authorization: Bearer $API_KEY"`);
  if (body) lines.push(`-H 'Content-Type: application/json'`, `-d '${body}'`);
  if (file) lines.push(`-H 'Content-Type: ${file.type}'`, `--data-binary '@${file.name}'`);
  if (answer.as === 'bytes') lines.push(`-o '${answer.file}'`);
  for (const name of form ?? []) lines.push(`-F '${name}=@health-stations.geojson'`);
  return lines.join(' \\\n  ');
}

function inJavaScript({ method, address, keyed, body, file, form, answer }: Call): string {
  const headers = [
    ...(keyed ? [`    Authorization: \`Bearer \${apiKey}\`,`] : []),
    ...(body ? [`    'Content-Type': 'application/json',`] : []),
    ...(file ? [`    'Content-Type': '${file.type}',`] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body ? [`  body: JSON.stringify(${body}),`] : []),
    ...(file ? ['  body: file,'] : []),
    ...(form ? ['  body: form,'] : []),
  ];
  const setup = form ? ['const form = new FormData();', `form.set('file', file);`] : [];
  const rest = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  const reader = { json: 'json', text: 'text', bytes: 'arrayBuffer' }[answer.as];
  const request = `const response = await fetch('${address}'${rest});`;
  return [...setup, request, `const answer = await response.${reader}();`].join('\n');
}

function inPython({ method, address, keyed, body, file, form, answer }: Call): string {
  const headers = [
    ...(keyed ? ['"Authorization": f"Bearer {api_key}"'] : []),
    ...(file ? [`"Content-Type": "${file.type}"`] : []),
  ];
  const options = [
    ...(headers.length > 0 ? [`    headers={${headers.join(', ')}},`] : []),
    ...(body ? [`    json=${pythonOf(JSON.parse(body))},`] : []),
    ...(file ? [`    data=open("${file.name}", "rb"),`] : []),
    ...(form ? ['    files={"file": open("health-stations.geojson", "rb")},'] : []),
  ];
  const call = `requests.${method.toLowerCase()}(`;
  const inside = options.length > 0 ? `\n    "${address}",\n${options.join('\n')}\n` : `"${address}"`;
  const reader = { json: 'json()', text: 'text', bytes: 'content' }[answer.as];
  return `import requests\n\nanswer = ${call}${inside}).${reader}`;
}

/** A JSON value as Python writes it. */
function pythonOf(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${pythonOf(member)}`);
  return `{${members.join(', ')}}`;
}
