import { byId } from '../shared/dom.ts';
import { number } from './format.ts';
import type { Session } from './session.ts';

interface Surroundings {
  session: () => Session;
  /** Called when a file has been taken in. */
  uploaded: (name: string) => Promise<void>;
}

/** The form that files are uploaded with, with their progress. */
export function startUpload({ session, uploaded }: Surroundings): void {
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
      const name = await send(file, await session().token());
      form.reset();
      await uploaded(name);
    } catch (fault) {
      error.textContent = fault instanceof Error ? fault.message : String(fault);
    } finally {
      state.hidden = true;
      if (submit) submit.disabled = false;
    }
  });
}

/**
 * Sends a file and shows how far it is. Gives the name of the dataset.
 * @throws Error that says why it was not taken
 */
function send(file: File, token: string): Promise<string> {
  const progress = byId('upload-progress', HTMLProgressElement);
  const percent = byId('upload-percent', HTMLElement);
  const show = (done: number) => {
    progress.value = done;
    // What is sent is not yet stored.
    percent.textContent = done < 1 ? `${Math.floor(done * 100)} %` : 'Reading…';
  };
  show(0);
  const body = new FormData();
  body.set('name', file.name.replace(/\.[^.]+$/, '') || file.name);
  body.set('file', file);
  // fetch tells nothing about what it has sent.
  const request = new XMLHttpRequest();
  request.open('POST', '/v1/datasets/upload');
  request.setRequestHeader('Authorization', `Bearer ${token}`);
  request.responseType = 'json';
  request.upload.addEventListener('progress', ({ loaded, total }) => show(total ? loaded / total : 0));
  byId('upload-cancel', HTMLButtonElement).onclick = () => request.abort();
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () => {
      if (request.status === 200) resolve((request.response as { data: { name: string } }).data.name);
      else reject(new Error(reasonIn(request)));
    });
    request.addEventListener('error', () => reject(new Error('The service can’t be reached.')));
    request.addEventListener('abort', () => reject(new Error('The upload was cancelled. Nothing is stored of it.')));
    request.send(body);
  });
}

function reasonIn({ response, status }: XMLHttpRequest): string {
  const said = response as { message?: string; error?: { issues?: { message: string }[] } } | null;
  return said?.message ?? said?.error?.issues?.map(({ message }) => message).join(' ') ?? `Status ${number(status)}.`;
}
