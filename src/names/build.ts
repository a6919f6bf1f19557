import { aliases, districts } from './aliases.ts';
import { fold } from './fold.ts';
import { addKeys, type Key, KIND, type Kind, plainKeyOf } from './forms.ts';
import { NameIndex, type NamesBeside } from './index.ts';
import { grown, KeyCollector } from './keys.ts';
import { columnOf, NAME_LEVELS, type NameLevel, type NameSource, rowOfCode } from './source.ts';
import { provinceForms } from './spellings.ts';

/**
 * Makes the index of a source's names, present and former, and of the aliases. It takes about a tenth of a second for
 * the whole country, so it is made on the first search or match.
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
    const column = columnOf(level);
    for (let row = first; row < end; row += 1) {
      const keys: Key[] = [];
      const name = source.nameOf(row);
      const folded = level === 'barangay' ? plainKeyOf(name) : undefined;
      if (folded !== undefined) keys.push({ key: folded, kind: KIND.full });
      else addKeys(keys, name, { column, kind: KIND.full });
      for (const { name, kind } of beside.get(row) ?? []) addKeys(keys, name, { column, kind });
      for (const name of source.formerNames(row)) addKeys(keys, name, { column, kind: KIND.former });
      if (level === 'submunicipality') addWithCity(keys, source.nameOf(source.municities[row] as number));
      if (count + keys.length > rowKeys.length) {
        rowKeys = grown(rowKeys, new Uint32Array(2 * rowKeys.length + keys.length));
        rowKinds = grown(rowKinds, new Uint8Array(2 * rowKinds.length + keys.length));
      }
      for (const { key, kind } of keys) {
        rowKeys[count] = found.add(key);
        rowKinds[count] = kind;
        count += 1;
      }
      rowStarts[row + 1] = count;
    }
    ends[level] = found.size;
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

/** Adds the keys of a sub-municipality with its city behind it: `Ermita, Manila` stands in one cell of many lists. */
function addWithCity(keys: Key[], city: string): void {
  const cities: Key[] = [{ key: fold(city), kind: KIND.full }];
  addKeys(cities, city, { column: 'municity', kind: KIND.full });
  for (const { key, kind } of [...keys]) {
    for (const it of cities) keys.push({ key: `${key} ${it.key}`, kind: Math.max(kind, KIND.part) as Kind });
  }
}

/** Aliases by row. */
function namesBeside(source: NameSource): NamesBeside {
  const names = new Map<number, { name: string; kind: Kind }[]>();
  const put = (code: string, name: string, kind: Kind) => {
    for (const level of NAME_LEVELS) {
      const row = rowOfCode(source, level, code);
      if (row === -1) continue;
      if (source.nameOf(row) === name) continue;
      const existing = names.get(row);
      if (existing) existing.push({ name, kind });
      else names.set(row, [{ name, kind }]);
    }
  };
  for (const [alias, code] of aliases) put(code, alias, KIND.alias);
  for (const [name, code] of districts) put(code, name, KIND.district);
  const provinces = source.rowsOf('province');
  for (let row = provinces.first; row < provinces.end; row += 1) {
    for (const name of [source.nameOf(row), ...source.formerNames(row)]) {
      for (const form of provinceForms(name)) put(String(source.codes[row]).padStart(10, '0'), form, KIND.alias);
    }
  }
  return names;
}
