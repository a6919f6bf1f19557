import { forgetToken, heldToken, holdToken } from '../shared/credentials.ts';
import { button, el } from '../shared/dom.ts';

/** How much of an answer is shown, characters. */
const MAX_SHOWN = 60_000;

const HEADERS = ['X-Data-Release', 'RateLimit', 'Retry-After', 'ETag', 'Content-Location', 'X-Request-Id'];

/** What in a sample says that a file is sent. */
const SENDS_FILE = / (-F|--data-binary) '/;

/** Lets every operation that takes no file be tried in place. */
export function startTrials(operations: Iterable<HTMLElement>): void {
  for (const operation of operations) {
    const samples = operation.querySelector<HTMLElement>('.samples');
    const curl = samples?.querySelector('[role=tabpanel] code')?.textContent ?? '';
    if (!samples || SENDS_FILE.test(curl)) continue;
    const open = button('Try it', () => {
      open.remove();
      samples.after(trialOf(operation, curl));
      operation.querySelector<HTMLInputElement>('.trial input')?.focus();
    });
    open.classList.add('open-trial');
    samples.after(open);
  }
}

/** A form for one request, filled in as its sample is. */
function trialOf(operation: HTMLElement, curl: string): HTMLFormElement {
  const { id } = operation;
  const { method = 'get' } = operation.dataset;
  const address = el('input', {
    id: `address-${id}`,
    value: /'(\S+)'/.exec(curl)?.[1]?.slice(location.origin.length) ?? '/',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const sent = /-d '([\s\S]+)'$/.exec(curl)?.[1];
  const body =
    sent === undefined
      ? undefined
      : el('textarea', { id: `body-${id}`, rows: '6', spellcheck: 'false' }, indented(sent));
  const key = el('input', { id: `key-${id}`, type: 'password', autocomplete: 'off', placeholder: 'svc_sk_…' });
  key.value = heldToken() ?? '';
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
    if (key.value) holdToken(key.value.trim());
    else forgetToken();
    void send(method, address.value, body?.value, answer);
  });
  return form;
}

async function send(method: string, address: string, body: string | undefined, answer: HTMLElement): Promise<void> {
  answer.replaceChildren(el('p', {}, 'Waiting for the answer…'));
  const token = heldToken();
  const headers = {
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const url = new URL(address, location.origin);
  // The key is given to this service and to nobody else.
  if (url.origin !== location.origin) {
    answer.replaceChildren(el('p', { class: 'error' }, 'The address must be one of this service.'));
    return;
  }
  const started = performance.now();
  try {
    const response = await fetch(url, { method: method.toUpperCase(), headers, body: body ?? null });
    const text = await textOf(response);
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

/** An answer as text; how much it is where it is none to read. */
async function textOf(response: Response): Promise<string> {
  const type = response.headers.get('Content-Type') ?? '';
  if (type === '' || /json|^text\//.test(type)) return response.text();
  return `${(await response.blob()).size.toLocaleString('en')} bytes of ${type}`;
}

function indented(json: string): string {
  try {
    return json.length > 2_000_000 ? json : JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
