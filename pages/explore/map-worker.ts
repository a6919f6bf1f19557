import WORKER_URL from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker';

export { WORKER_URL };

/**
 * Reads the code of the map's worker, which the browser keeps. A map whose worker is missing, as after a deployment, would
 * draw nothing and say nothing.
 *
 * @throws Error if it can't be read
 */
export async function readWorker(): Promise<void> {
  const response = await fetch(WORKER_URL);
  if (!response.ok) throw new Error(`The worker of the map was answered with status ${response.status}.`);
  await response.arrayBuffer();
}
