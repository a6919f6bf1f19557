import WORKER_URL from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker';

export { WORKER_URL };

/**
 * Loads the script of MapLibre's worker into the browser's cache. A map whose script is missing, as after a deployment, stays
 * empty without an error.
 *
 * @throws Error if it can't be loaded
 */
export async function preloadWorker(): Promise<void> {
  const response = await fetch(WORKER_URL);
  if (!response.ok) throw new Error(`The worker of the map was answered with status ${response.status}.`);
  await response.arrayBuffer();
}
