import { jobContext as contextOf, type ServiceContext } from '../../src/context.ts';

/** The context of a scheduled job of a Worker with these bindings. */
export function jobContext(bindings: object): ServiceContext {
  return contextOf(bindings as Env, () => undefined);
}
