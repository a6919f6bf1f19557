import { editionText } from '../../src/areas/edition-id.ts';
import { el, quiet } from '../shared/dom.ts';
import { kindOf } from '../shared/levels.ts';
import { type Detail, ownCodes, type Sentence, sentenceOf, withoutRepeats, withoutSameWords } from './change-words.ts';
import { type Change, readHistory } from './changes.ts';
import { readArea, readCountry } from './data.ts';
import { type Edition, inAddress } from './editions.ts';
import { fragmentOf, shortName } from './places.ts';

/**
 * What is told of everything that happened to the area with a code.
 *
 * @param isGone whether the edition that is shown does not have it
 * @throws PsgcError
 */
export async function historyOf(code: string, editions: readonly Edition[], isGone: boolean): Promise<Node[]> {
  const history = withoutRepeats(await readHistory(code));
  const oldest = editions.at(-1)?.id ?? '';
  if (history.length === 0)
    return [
      quiet(
        `${isGone ? 'Nothing is known of it' : 'Nothing has changed'} since ${editionText(oldest)}, the earliest edition here. Changes before it are not recorded.`,
      ),
    ];
  const own = ownCodes(history, code);
  const details = await Promise.all(history.map((change) => readDetail(change, editions)));
  const told = withoutSameWords(
    history.map((change, i) => ({ change, sentence: sentenceOf(change, own, details[i]) })),
  );
  const items = told.map(({ change, sentence }) => {
    const words = el('p', {}, ...nodesOf(sentence, editions));
    const note = change.note === null ? undefined : quiet(change.note);
    return el('li', {}, el('span', { class: 'when' }, editionText(change.to_edition)), el('div', {}, words, note));
  });
  return [el('ol', {}, ...items), quiet('Each change stands at the edition that has it first.')];
}

/** The words and links of a sentence. Links lead to areas as they were in the edition that has them. */
export function nodesOf(sentence: Sentence, editions: readonly Edition[]): (Node | string)[] {
  return sentence.map((piece) => {
    if (typeof piece === 'string') return piece;
    const { party, level, edition, by } = piece;
    const text: (Node | string)[] = by === 'code' ? [el('code', {}, party.code)] : [party.name];
    if (by === 'both') text.push(' ', el('code', {}, party.code));
    return el('a', { href: fragmentOf({ level, code: party.code }, inAddress(edition, editions)) }, ...text);
  });
}

/** What two editions say of an area that moved or was reclassified. It only adds words, so it may be missing. */
async function readDetail(change: Change, editions: readonly Edition[]): Promise<Detail | undefined> {
  const { kind, level, from, to } = change;
  const [before, after] = [from[0], to[0]];
  if (!before || !after) return undefined;
  const [then, now] = [inAddress(change.from_edition, editions), inAddress(change.to_edition, editions)];
  const read = async (): Promise<Detail | undefined> => {
    if (kind === 'moved') {
      const [one, other] = [await namesOfParents(before.code, then), await namesOfParents(after.code, now)];
      const at = one.findIndex((name, i) => name !== undefined && other[i] !== undefined && name !== other[i]);
      const [parentThen, parentNow] = [one[at], other[at]];
      return parentThen && parentNow ? { from: parentThen, to: parentNow } : undefined;
    }
    if (kind !== 'reclassified') return undefined;
    const [areaThen, areaNow] = await Promise.all([
      readArea({ level, code: before.code }, then),
      readArea({ level, code: after.code }, now),
    ]);
    return { from: kindOf(level, areaThen), to: kindOf(level, areaNow) };
  };
  return read().catch(() => undefined);
}

/** The names of the region and the province in which an area with a code lies. */
async function namesOfParents(code: string, edition: string | undefined): Promise<(string | undefined)[]> {
  const { regions, provinces } = await readCountry(edition);
  const region = regions.find((one) => one.code === `${code.slice(0, 2)}00000000`);
  const province = provinces.find((one) => one.code === `${code.slice(0, 5)}00000`);
  return [region && shortName(region.name), province?.name];
}
