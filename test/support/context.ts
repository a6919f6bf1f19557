import { type ServiceContext, serviceContext } from '../../src/context.ts';
import { Deadline } from '../../src/deadline.ts';
import { configOf } from '../../src/env.ts';

/** The context of a scheduled job of a Worker with these bindings. */
export function jobContext(bindings: object): ServiceContext {
  return serviceContext({
    config: configOf(bindings),
    env: bindings as Env,
    principal: { kind: 'master' },
    requestId: null,
    waitUntil: () => undefined,
    noteAreas: () => undefined,
    deadline: new Deadline('each', configOf(bindings).REQUEST_WAIT_MS),
  });
}
