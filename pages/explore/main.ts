import worker from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker';
const { setWorkerUrl } = await import('maplibre-gl');
setWorkerUrl(worker);
