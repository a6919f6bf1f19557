import { currentToken, forgetToken, storeToken } from '../shared/credentials.ts';
import { button, el } from '../shared/dom.ts';

/** The most characters of an answer that are shown. */
const MAX_SHOWN = 60_000;

/** Headers of an answer that are shown. */
const HEADERS = ['X-Data-Release', 'RateLimit', 'Retry-After', 'ETag', 'Content-Location', 'X-Request-Id'];

/** Matches a sample in curl that sends a file. */
const SENDS_FILE = / (-F|--data-binary) '/;

/** Adds a button to every operation that takes no file. It opens a form that sends a request. */
export function startTrials(operations: Iterable<HTMLElement>): void {
  for (const operation of operations) {
    const samples = operation.querySelector<HTMLElement>('.samples');
    const curl = samples?.querySelector('[role=tabpanel] code')?.textContent ?? '';
    if (!samples || SENDS_FILE.test(curl)) continue;
    const open = button('Try it', () => {
      open.remove();
      samples.after(trialForm(operation, curl));
      operation.querySelector<HTMLInputElement>('.trial input')?.focus();
    });
    open.classList.add('open-trial');
    samples.after(open);
  }
}

/** A form for one request. It is filled in with the values of the sample. */
function trialForm(operation: HTMLElement, curl: string): HTMLFormElement {
  const { id } = operation;
  const { method = 'get' } = operation.dataset;
  const address = el('input', {
    id: `address-${id}`,
    class: 'text-field',
    value: /'(\S+)'/.exec(curl)?.[1]?.slice(location.origin.length) ?? '/',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const sampleBody = /-d '([\s\S]+)'$/.exec(curl)?.[1];
  const body =
    sampleBody === undefined
      ? undefined
      : el('textarea', { id: `body-${id}`, class: 'text-field', rows: '6', spellcheck: 'false' }, indented(sampleBody));
  const key = el('input', {
    id: `key-${id}`,
    class: 'text-field',
    type: 'password',
    autocomplete: 'off',
    placeholder: 'svc_sk_…',
  });
  key.value = currentToken() ?? '';
  const answer = el('div', { class: 'trial-answer', 'aria-live': 'polite' });
  const form = el(
    'form',
    { class: 'trial' },
    el('label', { for: address.id }, `${method.toUpperCase()} address`),
    address,
    ...(body ? [el('label', { for: body.id }, 'Body'), body] : []),
    el('label', { for: key.id }, 'Key or session, kept in this tab only'),
    key,
    el('p', {}, el('button', { type: 'submit', class: 'main' }, 'Send')),
    answer,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (key.value) storeToken(key.value.trim());
    else forgetToken();
    void send(method, address.value, body?.value, answer);
  });
  return form;
}

async function send(method: string, address: string, body: string | undefined, answer: HTMLElement): Promise<void> {
  answer.replaceChildren(el('p', {}, 'Waiting for the answer…'));
  const token = currentToken();
  const headers = {
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const url = new URL(address, location.origin);
  // The key must not be sent to any other service.
  if (url.origin !== location.origin) {
    answer.replaceChildren(el('p', { class: 'error' }, 'The address must be one of this service.'));
    return;
  }
  const started = performance.now();
  try {
    const response = await fetch(url, { method: method.toUpperCase(), headers, body: body ?? null });
    const text = await readText(response);
    const took = Math.round(performance.now() - started);
    const shown = indented(text);
    answer.replaceChildren(
      el(
        'p',
        {},
        el('strong', {}, `${response.status}`),
        ` in ${took} ms, ${text.length.toLocaleString('en')} characters`,
      ),
      el(
        'ul',
        {},
        ...HEADERS.flatMap((name) => {
          const value = response.headers.get(name);
          return value === null ? [] : [el('li', {}, `${name}: ${value}`)];
        }),
      ),
      el('pre', { tabindex: '0' }, shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}\n…` : shown),
    );
  } catch {
    answer.replaceChildren(el('p', { class: 'error' }, 'The service can’t be reached.'));
  }
}

/** The text of an answer, or its size and type if it is binary. */
async function readText(response: Response): Promise<string> {
  const type = response.headers.get('Content-Type') ?? '';
  if (type === '' || /json|^text\//.test(type)) return response.text();
  return `${(await response.blob()).size.toLocaleString('en')} bytes of ${type}`;
}

/** JSON with indentation. Other text, and very long JSON, is returned unchanged. */
function indented(json: string): string {
  try {
    return json.length > 2_000_000 ? json : JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
