import { app } from './app.ts';
import { scheduled } from './scheduled.ts';

// biome-ignore lint/performance/noBarrelFile: the platform finds the class among the exports of the Worker
export { Meter } from './meter.ts';

export default { fetch: app.fetch, scheduled };
