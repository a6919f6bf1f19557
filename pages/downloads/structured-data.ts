import type { Download } from '../../clients/typescript/src/types.ts';

/** A schema.org Dataset with the member that is changed here. */
interface Dataset {
  distribution: object[];
  [member: string]: unknown;
}

/**
 * Adds the CSV files of the newest release, which everybody may read, to the schema.org Dataset of the page. The build of
 * the page can't do that: only the service knows the files.
 *
 * @param files as the service lists them: those of the release that is served come first
 */
export function describeFiles(script: HTMLScriptElement, files: readonly Download[]): void {
  const release = files[0]?.release;
  if (release === undefined) return;
  const dataset = JSON.parse(script.text) as Dataset;
  const newest = files.filter((file) => file.release === release);
  const tables = newest.filter(({ format, resolution }) => format === 'csv' && resolution === null);
  const distribution = tables.map((file) => ({
    '@type': 'DataDownload',
    name: file.id,
    encodingFormat: file.media_type,
    contentUrl: file.href,
    contentSize: String(file.size_bytes),
    sha256: file.sha256,
    dateModified: file.created_at,
    license: file.licence,
  }));
  script.text = JSON.stringify({
    ...dataset,
    version: release,
    dateModified: newest
      .map(({ created_at }) => created_at)
      .sort()
      .at(-1),
    distribution: [...distribution, ...dataset.distribution],
  });
}
