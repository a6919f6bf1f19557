import { app } from './app.ts';

// biome-ignore lint/performance/noBarrelFile: the platform finds the class among the exports of the Worker
export { Meter } from './meter.ts';

export default {
  fetch: app.fetch,
  async scheduled(controller, env, context) {
    const { scheduled } = await import('./scheduled.ts');
    await scheduled(controller, env, context);
  },
} satisfies ExportedHandler<Env>;
