import { releaseOf } from '../../../scripts/pipeline/editions/release.ts';
import { readHistory } from '../../../scripts/pipeline/psgc/history.ts';
import { buildIndex } from '../../../src/names/build.ts';
import type { NameIndex } from '../../../src/names/index.ts';
import { sourceOf } from '../../../src/names/source.ts';

/** The packed edition of the PSGC, and the index of its names. */
export interface NamedCountry {
  readonly release: ReturnType<typeof releaseOf>;
  readonly index: NameIndex;
}

let country: Promise<NamedCountry> | undefined;

/** Read once for all tests of a worker: nobody changes it. */
export function namedCountry(): Promise<NamedCountry> {
  country ??= readHistory().then((history) => {
    const release = releaseOf(history, history.editions.at(-1)?.id ?? '');
    const source = sourceOf(release.areas, { names: release.formerNames, codes: release.aliases });
    return { release, index: buildIndex(source) };
  });
  return country;
}
