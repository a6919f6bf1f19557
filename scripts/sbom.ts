import { execFileSync } from 'node:child_process';
import manifest from '../package.json' with { type: 'json' };

// npm run --silent sbom: prints what a deployment consists of, by package-lock.json, as a bill of materials in CycloneDX. npm
// makes it; with its --omit dev it leaves out what tools for development need as well, such as zod.

interface Component {
  readonly 'bom-ref': string;
  readonly scope: string;
  readonly properties?: readonly { readonly name: string }[];
}

interface Bill {
  readonly metadata: { readonly component: { readonly 'bom-ref': string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
const all = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 2 ** 26 })) as Bill;
const isDeployed = ({ scope, properties = [] }: Component) =>
  scope === 'required' && !properties.some(({ name }) => name === 'cdx:npm:package:development');
const components = all.components.filter(isDeployed);
const { component } = all.metadata;
const kept = new Set([component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
const dependencies = all.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
// npm names the folder.
const metadata = { ...all.metadata, component: { ...component, name: manifest.name } };
console.log(JSON.stringify({ ...all, metadata, components, dependencies }, null, 2));
