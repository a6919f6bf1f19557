import { type ServiceContext, serviceContext } from '../../src/context.ts';
import { configOf } from '../../src/env.ts';
import { Patience } from '../../src/patience.ts';

/** The context of a scheduled job of a Worker with these bindings. */
export function jobContext(bindings: object): ServiceContext {
  return serviceContext({
    config: configOf(bindings),
    env: bindings as Env,
    principal: { kind: 'master' },
    requestId: null,
    waitUntil: () => undefined,
    noteAreas: () => undefined,
    patience: new Patience('each', configOf(bindings).REQUEST_WAIT_MS),
  });
}
