import { exampleOf, type OpenApi, type Operation } from './openapi.ts';

/** Stands for the address of the service until a browser knows it. */
export const ORIGIN = 'https://geo.example';

export interface Sample {
  readonly language: 'curl' | 'JavaScript' | 'Python';
  readonly code: string;
}

interface Call {
  method: string;
  /** With its query. */
  address: string;
  /** Whether a key must be sent. */
  keyed: boolean;
  /** JSON text. */
  body: string | undefined;
  /** Names of the parts of a form. */
  form: readonly string[] | undefined;
}

/** The same request in three languages, with the examples of the document for its parameters. */
export function samplesOf(document: OpenApi, path: string, method: string, operation: Operation): Sample[] {
  const call = callOf(document, path, method, operation);
  return [
    { language: 'curl', code: inCurl(call) },
    { language: 'JavaScript', code: inJavaScript(call) },
    { language: 'Python', code: inPython(call) },
  ];
}

function callOf(document: OpenApi, path: string, method: string, operation: Operation): Call {
  const { parameters = [], requestBody, security } = operation;
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, schema, example }) => {
      const value = String(example ?? exampleOf(document, schema));
      return text.replace(`{${name}}`, encodeURIComponent(value));
    }, path);
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || SHOWN.has(parameter.name)))
    .map(
      ({ name, schema, example }) => `${name}=${encodeURIComponent(String(example ?? exampleOf(document, schema)))}`,
    );
  const body = requestBody?.content['application/json'];
  const form = requestBody?.content['multipart/form-data'];
  return {
    method: method.toUpperCase(),
    address: `${ORIGIN}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    keyed: security.length > 0 && security.every((way) => Object.keys(way).length > 0),
    body: body && JSON.stringify(body.example ?? exampleOf(document, body.schema)),
    form: form && ['file'],
  };
}

/** Parameters that are optional one by one, of which some must be given all the same. */
const SHOWN = new Set(['lon', 'province_code', 'municity_code']);

function inCurl({ method, address, keyed, body, form }: Call): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}'${address}'`];
  if (keyed) lines.push(`-H "Authorization: Bearer $API_KEY"`);
  if (body) lines.push(`-H 'Content-Type: application/json'`, `-d '${body}'`);
  for (const name of form ?? []) lines.push(`-F '${name}=@places.geojson'`);
  return lines.join(' \\\n  ');
}

function inJavaScript({ method, address, keyed, body, form }: Call): string {
  const headers = [
    ...(keyed ? [`    Authorization: \`Bearer \${apiKey}\`,`] : []),
    ...(body ? [`    'Content-Type': 'application/json',`] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body ? [`  body: JSON.stringify(${body}),`] : []),
    ...(form ? ['  body: form,'] : []),
  ];
  const setup = form ? ['const form = new FormData();', `form.set('file', file);`] : [];
  const rest = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  return [...setup, `const response = await fetch('${address}'${rest});`, 'const answer = await response.json();'].join(
    '\n',
  );
}

function inPython({ method, address, keyed, body, form }: Call): string {
  const options = [
    ...(keyed ? ['    headers={"Authorization": f"Bearer {api_key}"},'] : []),
    ...(body ? [`    json=${pythonOf(JSON.parse(body))},`] : []),
    ...(form ? ['    files={"file": open("places.geojson", "rb")},'] : []),
  ];
  const call = `requests.${method.toLowerCase()}(`;
  const inside = options.length > 0 ? `\n    "${address}",\n${options.join('\n')}\n` : `"${address}"`;
  return `import requests\n\nanswer = ${call}${inside}).json()`;
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
