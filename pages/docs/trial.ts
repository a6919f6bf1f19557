import { currentToken, forgetToken, storeToken } from '../shared/credentials.ts';
import { button, el } from '../shared/dom.ts';
import { showAnswer } from './answer.ts';
import { copyButton } from './code.ts';
import { wrappedParts } from './highlight.ts';
import { type FormField, fieldsOf, rowsOf } from './trial-fields.ts';

/** Adds a button to every operation. It opens a form of its parameters, which sends a request. */
export function startTrials(operations: Iterable<HTMLElement>): void {
  for (const operation of operations) {
    const samples = operation.querySelector<HTMLElement>('.samples');
    if (!samples) continue;
    const open = button('Try it', () => {
      open.remove();
      samples.after(trialForm(operation));
      // Where nothing has to be filled in, it is ready to be sent. Few operations need a key.
      operation.querySelector<HTMLElement>('.trial > div :is(input, select, textarea), .trial [type=submit]')?.focus();
    });
    open.classList.add('open-trial');
    samples.after(open);
  }
}

/** A request, as the fields say it. */
interface Request {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: BodyInit | null;
}

/** A form for one request. It is filled in with the values of the sample. */
function trialForm(operation: HTMLElement): HTMLFormElement {
  const { id } = operation;
  const { method = 'get', sends } = operation.dataset;
  const fields = fieldsOf(operation);
  const body = bodyField(operation);
  const key = el('input', {
    id: `key-${id}`,
    class: 'text-field',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'svc_sk_…',
  });
  key.value = currentToken() ?? '';
  const request = (): Request => ({
    method: method.toUpperCase(),
    url: addressFrom(operation, fields),
    headers: headersFrom(fields, sends, body?.input),
    body: bodyFrom(fields, sends, body?.input),
  });
  const address = el('code', {});
  const describe = () => {
    const { url } = request();
    const parts = wrappedParts(`${method.toUpperCase()} ${decodeURI(url.pathname)}${url.search}`);
    address.replaceChildren(...parts.flatMap((part) => [part, el('wbr')]));
  };
  const answer = el('div', { class: 'trial-answer', 'aria-live': 'polite' });
  const form = el(
    'form',
    { class: 'trial', 'aria-label': 'Try it' },
    ...rowsOf(fields),
    body?.row,
    el('label', { for: key.id }, 'Key or session, kept in open tabs only'),
    key,
    el(
      'p',
      { class: 'sent' },
      address,
      ' ',
      copyButton('Copy the address', () => request().url.href),
    ),
    el('p', {}, el('button', { type: 'submit', class: 'main' }, 'Send')),
    answer,
  );
  form.addEventListener('input', describe);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (key.value.trim()) storeToken(key.value.trim());
    else forgetToken();
    void send(request(), answer);
  });
  describe();
  return form;
}

/** The field for a body that is no form: JSON text, or a file. */
function bodyField(
  operation: HTMLElement,
): { row: HTMLElement; input: HTMLInputElement | HTMLTextAreaElement } | undefined {
  const { id } = operation;
  const { sends, body } = operation.dataset;
  if (sends === undefined || sends === 'multipart/form-data') return undefined;
  const input =
    body === undefined
      ? el('input', { id: `body-${id}`, class: 'text-field', type: 'file', required: true })
      : el('textarea', { id: `body-${id}`, class: 'text-field', rows: '8', spellcheck: 'false' }, body);
  const label = el('label', { for: input.id }, body === undefined ? `File, ${sends}` : 'Body, JSON');
  return { row: el('div', {}, label, input), input };
}

function addressFrom(operation: HTMLElement, fields: readonly FormField[]): URL {
  const ofPath = fields.filter((field) => field.in === 'path');
  const path = ofPath.reduce(
    (text, { name, value }) => text.replace(`{${name}}`, () => encodeURIComponent(value()) || `{${name}}`),
    operation.dataset.path ?? '/',
  );
  // The key goes to this service and to no other.
  const url = new URL(location.origin);
  url.pathname = path;
  for (const { in: location, name, value } of fields)
    if (location === 'query' && value() !== '') url.searchParams.append(name, value());
  return url;
}

function headersFrom(
  fields: readonly FormField[],
  sends: string | undefined,
  body: HTMLInputElement | HTMLTextAreaElement | undefined,
): Record<string, string> {
  const set = fields.filter((field) => field.in === 'header' && field.value() !== '');
  return {
    ...Object.fromEntries(set.map(({ name, value }) => [name, value()])),
    ...(sends !== undefined && body !== undefined && body.value !== '' ? { 'Content-Type': sends } : {}),
  };
}

function bodyFrom(
  fields: readonly FormField[],
  sends: string | undefined,
  body: HTMLInputElement | HTMLTextAreaElement | undefined,
): BodyInit | null {
  if (sends === 'multipart/form-data') {
    const form = new FormData();
    for (const { in: location, name, value, file } of fields) {
      const chosen = file?.();
      if (location === 'form' && chosen) form.append(name, chosen);
      else if (location === 'form' && value() !== '') form.append(name, value());
    }
    return form;
  }
  if (body instanceof HTMLInputElement) return body.files?.[0] ?? null;
  return body?.value || null;
}

async function send({ method, url, headers, body }: Request, answer: HTMLElement): Promise<void> {
  answer.replaceChildren(el('p', {}, 'Waiting for the answer…'));
  const token = currentToken();
  const started = performance.now();
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body,
    });
    await showAnswer(answer, response, started);
  } catch {
    answer.replaceChildren(el('p', { class: 'error' }, 'The service can’t be reached.'));
  }
  // Where the window is low, it would stand below its lower edge.
  answer.scrollIntoView({ block: 'nearest' });
}
