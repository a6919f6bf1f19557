import type { Metafile } from 'esbuild';

/**
 * The files of a build that a file imports before it runs, and those that they import. Files that are only imported on demand
 * are not among them.
 *
 * @param path of the file among the outputs
 */
export function staticImports(path: string, outputs: Metafile['outputs'], found = new Set<string>()): Set<string> {
  for (const { path: part, kind, external } of outputs[path]?.imports ?? []) {
    if (kind !== 'import-statement' || external || found.has(part)) continue;
    found.add(part);
    staticImports(part, outputs, found);
  }
  return found;
}
