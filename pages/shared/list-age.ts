import { requestJson } from './api.ts';

/**
 * Which list is served and how old it is, as sentences. They are empty if nothing answers: they are an extra on every page.
 *
 * @param edition `2023-4q`; the current one if it is left out
 */
export async function readListAge(edition?: string): Promise<string> {
  const path = `/v1/sources${edition === undefined ? '' : `?edition=${edition}`}`;
  try {
    const { data } = await requestJson<{ data: { release: string; notice: string } }>(path);
    return `${data.notice} Data\u00a0release\u00a0${data.release.replaceAll('-', '\u2011')}.`;
  } catch {
    return '';
  }
}
