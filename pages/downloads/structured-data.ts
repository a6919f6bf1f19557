import type { Download } from '../../clients/typescript/src/types.ts';

/** A schema.org Dataset, as far as it is changed here. */
interface Dataset {
  distribution: object[];
  [member: string]: unknown;
}

/**
 * Adds the tables of the newest release, which everybody may read, to the schema.org Dataset of the page, with the release
 * as its version. Which files there are is known to the service only, so that the page is built without them.
 *
 * @param files as the service lists them: those of the release that is served come first
 */
export function describeFiles(script: HTMLScriptElement, files: readonly Download[]): void {
  const [first] = files;
  if (!first) return;
  const dataset = JSON.parse(script.text) as Dataset;
  script.text = JSON.stringify(datasetWith(dataset, files, first));
}

/** The same Dataset with the free CSV files of a release. */
function datasetWith(dataset: Dataset, files: readonly Download[], { release }: Download): Dataset {
  const own = files.filter((file) => file.release === release);
  const tables = own.filter(({ format, resolution }) => format === 'csv' && resolution === null);
  return {
    ...dataset,
    version: release,
    dateModified: own
      .map(({ created_at }) => created_at)
      .sort()
      .at(-1),
    distribution: [
      ...tables.map((file) => ({
        '@type': 'DataDownload',
        name: file.id,
        encodingFormat: file.media_type,
        contentUrl: file.href,
        contentSize: String(file.size_bytes),
        sha256: file.sha256,
        dateModified: file.created_at,
        license: file.licence,
      })),
      ...dataset.distribution,
    ],
  };
}
