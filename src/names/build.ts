import { aliases } from './aliases.ts';
import { addKeys, type Key, KIND, type Kind, plainKeyOf } from './forms.ts';
import { NameIndex, type NamesBeside } from './index.ts';
import { grown, KeyCollector } from './keys.ts';
import { NAME_LEVELS, type NameLevel, type NameSource, rowOfCode } from './source.ts';
import { provinceForms } from './spellings.ts';

/**
 * Makes the index of a source's names, present and former, and of the aliases. It takes about a tenth of a second for the
 * whole country, so it is made when the first search or match is asked for.
 */
export function buildIndex(source: NameSource): NameIndex {
  const beside = namesBeside(source);
  const found = new KeyCollector(source.size);
  const rowStarts = new Uint32Array(source.size + 1);
  let rowKeys = new Uint32Array(source.size * 2);
  let rowKinds = new Uint8Array(source.size * 2);
  const ends: Partial<Record<NameLevel, number>> = {};
  let count = 0;
  for (const level of NAME_LEVELS) {
    const { first, end } = source.rowsOf(level);
    for (let row = first; row < end; row += 1) {
      // Sub-municipalities are no level of the search: their names are Manila's.
      if (level !== 'submunicipality') {
        const keys: Key[] = [];
        const name = source.nameOf(row);
        const folded = level === 'barangay' ? plainKeyOf(name) : undefined;
        if (folded !== undefined) keys.push({ key: folded, kind: KIND.whole });
        else addKeys(keys, name, { level, kind: KIND.whole });
        for (const { name, kind } of beside.get(row) ?? []) addKeys(keys, name, { level, kind });
        for (const name of source.formerNames(row)) addKeys(keys, name, { level, kind: KIND.former });
        if (count + keys.length > rowKeys.length) {
          rowKeys = grown(rowKeys, new Uint32Array(2 * rowKeys.length + keys.length));
          rowKinds = grown(rowKinds, new Uint8Array(2 * rowKinds.length + keys.length));
        }
        for (const { key, kind } of keys) {
          rowKeys[count] = found.add(key);
          rowKinds[count] = kind;
          count += 1;
        }
      }
      rowStarts[row + 1] = count;
    }
    if (level !== 'submunicipality') ends[level] = found.size;
  }
  return new NameIndex({
    source,
    beside,
    rowStarts,
    rowKeys: rowKeys.slice(0, count),
    rowKinds: rowKinds.slice(0, count),
    ends: ends as Record<NameLevel, number>,
    keys: found.keys(),
  });
}

const LEVELS: readonly NameLevel[] = ['region', 'province', 'municity', 'barangay'];

const MANILA = '1380600000';

/** Aliases by row. */
function namesBeside(source: NameSource): NamesBeside {
  const names = new Map<number, { name: string; kind: Kind }[]>();
  const put = (code: string, name: string, kind: Kind) => {
    for (const level of LEVELS) {
      const row = rowOfCode(source, level, code);
      if (row === -1) continue;
      if (source.nameOf(row) === name) continue;
      const known = names.get(row);
      if (known) known.push({ name, kind });
      else names.set(row, [{ name, kind }]);
    }
  };
  for (const [alias, code] of aliases) put(code, alias, KIND.alias);
  const { first, end } = source.rowsOf('submunicipality');
  for (let row = first; row < end; row += 1) put(MANILA, source.nameOf(row), KIND.alias);
  const provinces = source.rowsOf('province');
  for (let row = provinces.first; row < provinces.end; row += 1) {
    for (const name of [source.nameOf(row), ...source.formerNames(row)]) {
      for (const form of provinceForms(name)) put(String(source.codes[row]).padStart(10, '0'), form, KIND.alias);
    }
  }
  return names;
}
