const VARIABLE = 'the variable';

/** What is looked at of a configuration of wrangler. */
export type Settings = Readonly<Record<string, unknown>>;

export interface NamedSettings {
  readonly name: string;
  readonly config: Settings;
}

/**
 * What is wrong with the environments of a Worker, in sentences: bindings and variables that one lacks, bindings that it
 * has beyond the default one, a wrong ENVIRONMENT, and buckets that belong to more than one. Variables may be more: the
 * local server has its own from elsewhere.
 */
export function differences(local: Settings, environments: readonly NamedSettings[]): string[] {
  const faults: string[] = [];
  const expected = namesIn(local);
  for (const { name, config } of environments) {
    const present = namesIn(config);
    for (const what of expected) if (!present.has(what)) faults.push(`[env.${name}] lacks ${what}.`);
    for (const what of present) {
      if (!expected.has(what) && !what.startsWith(VARIABLE))
        faults.push(`[env.${name}] has ${what}, the local server has not.`);
    }
    const { ENVIRONMENT } = (config.vars ?? {}) as Record<string, unknown>;
    if (ENVIRONMENT !== name) faults.push(`[env.${name}.vars] ENVIRONMENT must be "${name}", not "${ENVIRONMENT}".`);
  }
  const owners = new Map<string, string>();
  for (const { name, config } of [{ name: 'the local server', config: local }, ...environments]) {
    for (const bucket of bucketsIn(config)) {
      const owner = owners.get(bucket);
      if (owner) faults.push(`The bucket ${bucket} belongs to ${owner} and to ${name}.`);
      owners.set(bucket, name);
    }
  }
  return faults;
}

/** Every variable, and every binding with its kind. A binding is whatever names itself as one, at any depth. */
function namesIn({ vars, ...config }: Settings): Set<string> {
  const names = new Set(Object.keys((vars ?? {}) as object).map((name) => `${VARIABLE} ${name}`));
  const visit = (kind: string, value: unknown) => {
    if (value === null || typeof value !== 'object') return;
    const { binding, name, class_name: className } = value as Settings;
    if (typeof binding === 'string') names.add(`the binding ${binding} (${kind})`);
    if (typeof className === 'string') names.add(`the binding ${name} (${kind})`);
    for (const member of Object.values(value)) visit(kind, member);
  };
  for (const [kind, value] of Object.entries(config)) {
    // The settings of the default environment hold the others, as they were written.
    if (kind !== 'env' && kind !== 'migrations') visit(kind, value);
  }
  return names;
}

function bucketsIn({ r2_buckets: buckets = [] }: Settings): string[] {
  return (buckets as { bucket_name?: string }[]).flatMap(({ bucket_name: name }) => (name ? [name] : []));
}
