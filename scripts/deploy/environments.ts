const VARIABLE = 'the variable';

/** A configuration of wrangler. */
export type Settings = Readonly<Record<string, unknown>>;

export interface NamedSettings {
  readonly name: string;
  readonly config: Settings;
}

/**
 * Describes in sentences what is wrong with the environments of a Worker: bindings and variables that an environment
 * lacks, bindings that only it has, a wrong ENVIRONMENT, modules that would not be uploaded, and buckets that several
 * environments share. An environment may have more variables, because the local server gets some of its variables from
 * elsewhere.
 */
export function findFaults(local: Settings, environments: readonly NamedSettings[]): string[] {
  const faults: string[] = [];
  const expected = namesIn(local);
  for (const { name, config } of environments) {
    const present = namesIn(config);
    for (const what of expected) if (!present.has(what)) faults.push(`[env.${name}] lacks ${what}.`);
    for (const what of present) {
      if (!expected.has(what) && !what.startsWith(VARIABLE))
        faults.push(`[env.${name}] has ${what}, the local server has not.`);
    }
    if (!uploadsModules(config)) faults.push(`[[env.${name}.rules]] must make ESModules of *.js.`);
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

/** The names of all variables and bindings, bindings with their kind. A binding is an object with a name. */
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
    // The configuration of the default environment also contains those of the others.
    if (kind !== 'env' && kind !== 'migrations') visit(kind, value);
  }
  return names;
}

/** Whether the modules beside the main one are uploaded. */
function uploadsModules({ rules = [] }: Settings): boolean {
  return (rules as { type: string; globs: string[] }[]).some(
    ({ type, globs }) => type === 'ESModule' && globs.includes('*.js'),
  );
}

function bucketsIn({ r2_buckets: buckets = [] }: Settings): string[] {
  return (buckets as { bucket_name?: string }[]).flatMap(({ bucket_name: name }) => (name ? [name] : []));
}
