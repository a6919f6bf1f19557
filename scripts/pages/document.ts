/** What makes the texts of the Worker. Imported by its URL, so that tsc does not check it with the types of Node. */
const TEXTS = new URL('../../src/texts.ts', import.meta.url).href;

/** The origin in documents that are not served. */
const ORIGIN = 'http://localhost';

/** The texts that the Worker serves from its assets, by the names of their files. */
export async function renderTexts(): Promise<Record<string, string>> {
  const { makeTexts } = (await import(TEXTS)) as { makeTexts(): Record<string, string> };
  return makeTexts();
}

/** Renders the OpenAPI document as the Worker serves it at `http://localhost`. */
export async function renderDocument(): Promise<object> {
  const { 'openapi.json': text = '' } = await renderTexts();
  return JSON.parse(text.replaceAll('{origin}', ORIGIN)) as object;
}
