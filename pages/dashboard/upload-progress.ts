import { byId } from '../shared/dom.ts';
import { size } from '../shared/format.ts';

/** From when on the time that is left is told, milliseconds: before, it would jump. */
const STEADY_MS = 2000;

/** Shows how far an upload is, until it is ended. Closing the page asks first meanwhile. */
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
      const left = elapsed > STEADY_MS && done > 0 ? ` · ${secondsLeft(elapsed, done)} left` : '';
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

function secondsLeft(elapsed: number, done: number): string {
  const seconds = Math.ceil((elapsed / done - elapsed) / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
}
