import { byId } from '../shared/dom.ts';
import { size } from '../shared/format.ts';

/** After how long the time that is left is shown, milliseconds. Before that, its estimate jumps. */
const STEADY_MS = 2000;

/**
 * Shows the progress of an upload. Until `end` is called, the browser asks before it closes the page.
 *
 * @param cancel called when the person cancels the upload
 * @returns `show`, which takes how many bytes of the whole request are sent, and `end`, which hides the progress
 */
export function showProgress(cancel: () => void) {
  const state = byId('upload-state', HTMLElement);
  const bar = byId('upload-progress', HTMLProgressElement);
  const text = byId('upload-percent', HTMLElement);
  const started = performance.now();
  const keepOpen = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', keepOpen);
  const cancelButton = byId('upload-cancel', HTMLButtonElement);
  cancelButton.onclick = cancel;
  bar.value = 0;
  text.textContent = 'Starting…';
  state.hidden = false;
  cancelButton.focus();
  return {
    show(sent: number, total: number): void {
      const done = total > 0 ? sent / total : 0;
      bar.value = done;
      const elapsed = performance.now() - started;
      const left = elapsed > STEADY_MS && done > 0 ? ` · ${timeLeft(elapsed, done)} left` : '';
      // After the last byte is sent, the service still reads the file.
      text.textContent =
        done < 1
          ? `${Math.floor(done * 100)} % · ${size(sent)} of ${size(total)}${left}`
          : 'Sent. The service reads it…';
    },
    end(): void {
      state.hidden = true;
      removeEventListener('beforeunload', keepOpen);
    },
  };
}

/** @param done the share that is sent, more than 0 */
function timeLeft(elapsed: number, done: number): string {
  const seconds = Math.ceil((elapsed / done - elapsed) / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
}
