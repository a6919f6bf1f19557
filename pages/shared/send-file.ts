import { errorOf } from '../../clients/typescript/src/errors.ts';
import type { Dataset, InvalidRows, JsonOf } from '../../clients/typescript/src/types.ts';
import { unanswered } from './api.ts';

/** A file on its way to the service. */
export interface Sending {
  readonly file: File;
  readonly name: string;
  /** The dataset that it replaces; undefined for a new one. */
  readonly datasetId?: string | undefined;
  /** Whether the features in it are not stored. */
  readonly fileOnly: boolean;
  /** Whether rows and features that are not valid are left out. */
  readonly skipInvalid: boolean;
  /** The layer or sheet to read, where the file has several. */
  readonly layer?: string | undefined;
  /** The columns of places of a table by their headings, where the service is not left to find them. */
  readonly placeColumns?: Readonly<Record<string, string>> | undefined;
  readonly token: string;
  readonly signal: AbortSignal;
  /** Called with how many bytes of how many are sent. */
  readonly onProgress: (sent: number, total: number) => void;
}

/** What became of a file. */
export interface UploadedDataset extends Pick<Dataset, 'id' | 'name' | 'feature_count'> {
  /** The rows or features that were left out, if any. */
  readonly skipped: InvalidRows | undefined;
  /** What else somebody should know, in sentences. */
  readonly notices: readonly string[];
  /** What the rows of a table of places were taken for. */
  readonly places?: NonNullable<Uploaded['meta']>['places'];
}

type Uploaded = Pick<JsonOf<'upload_dataset'>, 'data' | 'meta'>;

/**
 * Uploads a file as a dataset.
 *
 * @throws PsgcError for every answer that is not a success, and if there is no answer; the reason of the signal if it is
 * aborted
 */
export function sendFile({
  file,
  name,
  datasetId,
  fileOnly,
  skipInvalid,
  layer,
  placeColumns,
  token,
  signal,
  onProgress,
}: Sending): Promise<UploadedDataset> {
  const body = new FormData();
  body.set('name', name);
  if (datasetId !== undefined) body.set('dataset_id', datasetId);
  // The field comes before the file, so that a file which can't be read is refused while it arrives.
  body.set('feature_storage', fileOnly ? 'r2_only' : 'features_and_r2');
  if (skipInvalid) body.set('on_invalid', 'skip');
  if (layer !== undefined) body.set('layer', layer);
  if (placeColumns) body.set('place_columns', JSON.stringify(placeColumns));
  body.set('file', file);
  // fetch does not report how much it has sent.
  const request = new XMLHttpRequest();
  request.open('POST', '/v1/datasets/upload');
  request.setRequestHeader('Authorization', `Bearer ${token}`);
  request.responseType = 'json';
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
  signal.addEventListener('abort', () => request.abort(), { once: true });
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () => {
      const { status, response } = request;
      if (status === 200) {
        const { data, meta } = response as Uploaded;
        const notices = (meta?.notices ?? []).map(({ message }) => sentenceOf(message));
        return resolve({ ...data, skipped: meta?.skipped, places: meta?.places, notices });
      }
      const retryAfter = request.getResponseHeader('Retry-After');
      const headers = retryAfter === null ? {} : { 'Retry-After': retryAfter };
      return void errorOf(Response.json(response, { status, headers })).then(reject);
    });
    request.addEventListener('error', () => reject(unanswered('The connection broke off.')));
    request.addEventListener('abort', () => reject(signal.reason));
    request.send(body);
  });
}

/** A message without the parameter that it begins with, which the page has chosen. */
function sentenceOf(message: string): string {
  const text = message.replace(/^[a-z_]+: /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
