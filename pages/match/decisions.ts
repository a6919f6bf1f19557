import { foundIn, type Group, isUnsure, optionsOf, type Place, smallestIn, stateOf } from './groups.ts';

interface Decision {
  /** What was decided, in a sentence. */
  readonly sentence: string;
  /** The groups, each with what was chosen before. */
  readonly before: readonly (readonly [Group, Group['choice']])[];
}

/** What a person has decided, step by step, so that each step can be undone. */
export function createDecisions() {
  const made: Decision[] = [];
  return {
    /** @param choose the place of a group; null for no code */
    decide(groups: readonly Group[], choose: (group: Group) => Place | null, sentence: string): void {
      made.push({ sentence, before: groups.map((group) => [group, group.choice]) });
      for (const group of groups) group.choice = choose(group);
    },
    /** Takes back the latest step. Returns its groups. */
    undo(): readonly Group[] {
      const { before = [] } = made.pop() ?? {};
      for (const [group, choice] of before) group.choice = choice;
      return before.map(([group]) => group);
    },
    /** The sentence of the latest step that is not undone. */
    latest: (): string | undefined => made.at(-1)?.sentence,
  };
}

/** The groups that are only likely. */
export function likelyOf(groups: readonly Group[]): Group[] {
  return groups.filter((group) => stateOf(group) === 'likely' && foundIn(group.outcome));
}

/** The other groups that are not decided, call their smallest place the same, and may mean this place too. */
export function alikeOf(groups: readonly Group[], group: Group, place: Place): Group[] {
  const written = smallestIn(group);
  return groups.filter(
    (other) =>
      other !== group &&
      isUnsure(other) &&
      smallestIn(other) === written &&
      optionsOf(other).some(({ code }) => code === place.code),
  );
}
