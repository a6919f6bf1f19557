import { issuesIn } from '../shared/api.ts';
import { byId } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import type { Session } from './session.ts';

interface Options {
  session: () => Session;
  /** Called with the name of the new dataset when a file has been uploaded. */
  onUploaded: (name: string) => Promise<void>;
}

/** The form that uploads files and shows their progress. */
export function startUpload({ session, onUploaded }: Options): void {
  const form = byId('upload', HTMLFormElement);
  const input = byId('file', HTMLInputElement);
  const state = byId('upload-state', HTMLElement);
  const error = byId('upload-error', HTMLElement);
  const submit = form.querySelector<HTMLButtonElement>('[type=submit]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const file = input.files?.[0];
    if (!file) return;
    error.textContent = '';
    state.hidden = false;
    if (submit) submit.disabled = true;
    try {
      const name = await upload(file, await session().token());
      form.reset();
      await onUploaded(name);
    } catch (fault) {
      error.textContent = fault instanceof Error ? fault.message : String(fault);
    } finally {
      state.hidden = true;
      if (submit) submit.disabled = false;
    }
  });
}

/**
 * Uploads a file and shows its progress.
 *
 * @returns the name of the dataset
 * @throws Error that says why the file was refused
 */
function upload(file: File, token: string): Promise<string> {
  const progress = byId('upload-progress', HTMLProgressElement);
  const percent = byId('upload-percent', HTMLElement);
  const show = (done: number) => {
    progress.value = done;
    // After the last byte is sent, the service still reads the file.
    percent.textContent = done < 1 ? `${Math.floor(done * 100)} %` : 'Reading…';
  };
  show(0);
  const body = new FormData();
  body.set('name', file.name.replace(/\.[^.]+$/, '') || file.name);
  body.set('file', file);
  // fetch does not report how much it has sent.
  const request = new XMLHttpRequest();
  request.open('POST', '/v1/datasets/upload');
  request.setRequestHeader('Authorization', `Bearer ${token}`);
  request.responseType = 'json';
  request.upload.addEventListener('progress', ({ loaded, total }) => show(total ? loaded / total : 0));
  byId('upload-cancel', HTMLButtonElement).onclick = () => request.abort();
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () => {
      if (request.status === 200) resolve((request.response as { data: { name: string } }).data.name);
      else reject(new Error(messageOf(request)));
    });
    request.addEventListener('error', () => reject(new Error('The service can’t be reached.')));
    request.addEventListener('abort', () => reject(new Error('The upload was cancelled. Nothing is stored of it.')));
    request.send(body);
  });
}

function messageOf({ response, status }: XMLHttpRequest): string {
  const body = response as { message?: string } | null;
  return body?.message ?? (issuesIn(body) || `Status ${number(status)}.`);
}
