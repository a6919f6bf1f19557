import { button, el, saveFile } from '../shared/dom.ts';
import { fileNameOf } from '../shared/file-name.ts';
import { codeBox } from './code.ts';

/** Max characters of an answer that are shown. */
const MAX_SHOWN = 60_000;

/** The longest JSON that is indented. */
const MAX_INDENTED = 2_000_000;

/** Headers of an answer that are shown. */
const HEADERS = ['X-Data-Release', 'RateLimit', 'Retry-After', 'ETag', 'Content-Location', 'X-Request-Id'];

/**
 * Shows what a request was answered.
 *
 * @param started when it was sent, by the clock of the page
 */
export async function showAnswer(container: HTMLElement, response: Response, started: number): Promise<void> {
  const content = await response.blob();
  const took = Math.round(performance.now() - started);
  const type = response.headers.get('Content-Type') ?? '';
  const isText = /json|^text\/|csv/.test(type);
  const headers = HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [el('li', {}, `${name}: ${value}`)];
  });
  const size = `${content.size.toLocaleString('en')} bytes${isText || type === '' ? '' : ` of ${type}`}`;
  container.replaceChildren(
    el('p', {}, el('strong', {}, `${response.status}`), ` in ${took} ms, ${size}`),
    el('ul', {}, ...headers),
  );
  if (isText) container.append(...shownText(await content.text(), /json/.test(type)));
  if (response.ok && content.size > 0) {
    const name = fileNameOf(response) ?? nameOf(response.url, type);
    container.append(
      el(
        'p',
        {},
        button('Save as a file', () => saveFile(content, name)),
      ),
    );
  }
}

/** The end of the path, with the ending of what was answered: `provinces.json`. */
function nameOf(url: string, type: string): string {
  const name = new URL(url).pathname.split('/').at(-1) || 'answer';
  const [, ending] = /(geo\+json|json|csv)/.exec(type) ?? [];
  return name.includes('.') || !ending ? name : `${name}.${ending.replace('+', '')}`;
}

/** The text as far as it can be shown, which ends with a whole line. */
function shownText(given: string, json: boolean): HTMLElement[] {
  const text = json ? indented(given) : given;
  if (text.length <= MAX_SHOWN) return [codeBox(text, json ? 'JSON' : undefined, 'Copy the answer')];
  const shown = text.slice(0, text.lastIndexOf('\n', MAX_SHOWN) + 1 || MAX_SHOWN);
  return [
    codeBox(shown, json ? 'JSON' : undefined, 'Copy what is shown of the answer'),
    el('p', {}, 'The rest is in the file.'),
  ];
}

/** JSON with indentation. Other text, and very long JSON, is returned unchanged. */
function indented(json: string): string {
  try {
    return json.length > MAX_INDENTED ? json : JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
