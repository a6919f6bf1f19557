import { editionText } from '../../src/areas/edition-id.ts';
import { LEVELS } from '../shared/levels.ts';
import type { Change, Party } from './changes.ts';

/** An area in a sentence, as it was in an edition. */
interface Mention {
  readonly party: Party;
  readonly level: Change['level'];
  readonly edition: string;
  /** How it is mentioned: by its code alone, or by its name, which its code follows where that says more. */
  readonly by: 'name' | 'code' | 'both';
}

export type Sentence = readonly (string | Mention)[];

/** What records of both editions say of a change, which the change itself does not. */
export interface Detail {
  readonly from: string;
  readonly to: string;
}

/** Max areas that a sentence names. */
const MAX_NAMED = 6;

/** The codes under which the changes of a history tell of one area. What an area was divided into is another one. */
export function ownCodes(history: readonly Change[], code: string): Set<string> {
  const codes = new Set([code]);
  for (let size = 0; size !== codes.size; ) {
    size = codes.size;
    for (const { from, to } of history) {
      const pair = from.length === 1 && to.length === 1 ? [...from, ...to] : [];
      if (pair.some((party) => codes.has(party.code))) for (const party of pair) codes.add(party.code);
    }
  }
  return codes;
}

/** A history without the changes of land that another of its changes tells too, as where an area was created out of it. */
export function withoutRepeats(history: readonly Change[]): Change[] {
  const codesOf = ({ from, to }: Change) => [...from, ...to].map(({ code }) => code);
  const whole = history.filter(({ kind }) => ['created', 'abolished', 'merged', 'split'].includes(kind));
  const isTold = (change: Change) =>
    whole.some((other) => {
      const codes = new Set(codesOf(other));
      return other.to_edition === change.to_edition && codesOf(change).every((code) => codes.has(code));
    });
  return history.filter((change) => change.kind !== 'redrawn' || !isTold(change));
}

/** A change with the sentence that tells it. */
interface Told {
  readonly change: Change;
  readonly sentence: Sentence;
}

/**
 * Sentences without those that another one of the same edition repeats: what a place gave to another one is told of both
 * of them. Pure.
 */
export function withoutSameWords(told: readonly Told[]): Told[] {
  const keyOf = ({ change: { to_edition, note }, sentence }: Told) =>
    JSON.stringify([to_edition, note, sentence.map((it) => (typeof it === 'string' ? it : [it.party.code, it.by]))]);
  return [...new Map(told.toReversed().map((it) => [keyOf(it), it])).values()].toReversed();
}

/**
 * What happened to an area, in a sentence about it. Pure.
 *
 * @param own the codes of the area
 * @param detail the parents of a moved area, or what a reclassified one was and is
 */
export function sentenceOf(change: Change, own: ReadonlySet<string>, detail?: Detail): Sentence {
  const { kind, from, to } = change;
  const [before, after] = [from[0], to[0]];
  const others = (parties: readonly Party[]) => parties.filter(({ code }) => !own.has(code));
  const isBefore = from.some(({ code }) => own.has(code));
  const isAfter = to.some(({ code }) => own.has(code));
  const then = (parties: readonly Party[]) => listed(change, parties, 'from');
  const now = (parties: readonly Party[]) => listed(change, parties, 'to');
  const code = (side: 'from' | 'to', party: Party) => mention(change, party, { side, by: 'code' });
  const gains = isAfter && others(from).length > 0;
  switch (kind) {
    case 'created':
      if (isBefore && !isAfter) return ['Gave a part of it to ', ...now(others(to)), ', which is new.'];
      return from.length > 0 ? ['Created out of parts of ', ...then(others(from)), '.'] : ['Created.'];
    case 'abolished':
      if (isAfter && !isBefore) return ['Took in a part of ', ...then(others(from)), ', which was abolished.'];
      return to.length > 0 ? ['Abolished. Its parts went to ', ...now(others(to)), '.'] : ['Abolished.'];
    case 'merged':
      if (isAfter) return ['Merged with ', ...then(others(from)), '.'];
      return others(from).length > 0
        ? ['Merged into ', ...now(to), ', with ', ...then(others(from)), '.']
        : ['Merged into ', ...now(to), '.'];
    case 'split':
      if (isBefore && isAfter) return ['Split: ', ...now(others(to)), ' came out of it.'];
      return isBefore ? ['Split into ', ...now(to), '.'] : ['Came out of the split of ', ...then(from), '.'];
    case 'redrawn': {
      const loses = isBefore && others(to).length > 0;
      if (loses && gains)
        return ['Gave land to ', ...now(others(to)), ', and got land of ', ...then(others(from)), '.'];
      if (loses) return ['Gave land to ', ...now(others(to)), '.'];
      return gains ? ['Got land of ', ...then(others(from)), '.'] : ['Redrawn.'];
    }
    case 'moved': {
      const way = detail ? `Moved from ${detail.from} to ${detail.to}` : 'Moved';
      if (!before || !after || before.code === after.code) return [`${way}.`];
      const codes = [code('from', before), ' to ', code('to', after), '.'];
      return [`${way}, ${detail ? 'and from code ' : 'from code '}`, ...codes];
    }
    case 'recoded':
      return before && after
        ? ['Its code changed from ', code('from', before), ' to ', code('to', after), '.']
        : ['Its code changed.'];
    case 'renamed':
      return before && after
        ? ['Renamed from ', mention(change, before, { side: 'from', by: 'name' }), ` to ${after.name}.`]
        : ['Renamed.'];
    case 'reclassified':
      return [detail ? `Was ${withArticle(detail.from)}, and became ${withArticle(detail.to)}.` : 'Got another class.'];
  }
}

/** A change in a line of a list: its areas, the links of which are those that it led to. Pure. */
export function lineOf(change: Change): Sentence {
  const { kind, from, to } = change;
  const named = (parties: readonly Party[]) => parties.map(({ name }) => name);
  if (to.length === 0) return listed(change, from, 'from', 'name');
  const after = listed(change, to, 'to', 'name');
  if (kind === 'created') return from.length > 0 ? [...after, ` out of ${joined(named(from)).join('')}`] : after;
  const isSame = named(from).join('\n') === named(to).join('\n');
  return isSame ? after : [`${joined(named(from)).join('')} → `, ...after];
}

/** What stands below a line: its level, its codes, and the editions where there are several steps. Pure. */
export function aboutLine(
  { level, from, to, from_edition, to_edition }: Change,
  spansSeveralEditions: boolean,
): string {
  const codes = (parties: readonly Party[]) =>
    joined(
      parties.map(({ code }) => code),
      ', ',
    ).join('');
  const [before, after] = [codes(from), codes(to)];
  const { noun } = LEVELS[level];
  const path = before === after || before === '' ? after : after === '' ? before : `${before} → ${after}`;
  const step = spansSeveralEditions ? [`${editionText(from_edition)} to ${editionText(to_edition)}`] : [];
  return [noun, path, ...step].join(' · ');
}

function mention(
  { level, from_edition, to_edition }: Change,
  party: Party,
  { side, by }: { side: 'from' | 'to'; by: Mention['by'] },
): Mention {
  return { party, level, edition: side === 'from' ? from_edition : to_edition, by };
}

function listed(change: Change, parties: readonly Party[], side: 'from' | 'to', by: Mention['by'] = 'both'): Sentence {
  return joined(parties.map((party) => mention(change, party, { side, by })));
}

/** Items as a sentence lists them: `A, B and C`. Of long lists the first few, and how many more there are. */
function joined<Item>(items: readonly Item[], last = ' and '): (Item | string)[] {
  const named = items.length > MAX_NAMED ? items.slice(0, MAX_NAMED - 1) : items;
  const rest = items.length - named.length;
  const parts: (Item | string)[] = rest > 0 ? [...named, `${rest} others`] : [...named];
  return parts.flatMap((part, i) => (i === 0 ? [part] : [i === parts.length - 1 ? last : ', ', part]));
}

/** A kind of area within a sentence: `an independent component city`. */
function withArticle(kind: string): string {
  return `${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind.charAt(0).toLowerCase()}${kind.slice(1)}`;
}
