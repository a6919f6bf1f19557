import {
  foundIn,
  type Group,
  isUnsure,
  optionsOf,
  type Place,
  parentsIn,
  type State,
  smallestIn,
  stateOf,
} from './groups.ts';

interface Decision {
  /** What was decided, in a sentence. */
  readonly sentence: string;
  /** The groups, each with what was chosen before. */
  readonly before: readonly (readonly [Group, Pick<Group, 'choice' | 'isBulkAccepted'>])[];
}

/** What a person has decided, step by step, so that each step can be undone. */
export function createDecisions() {
  const made: Decision[] = [];
  return {
    /**
     * @param choose the place of a group; null for no code
     * @param isBulkAccepted whether the places of the groups are accepted as they are, without a look at each
     */
    decide(
      groups: readonly Group[],
      choose: (group: Group) => Place | null,
      { sentence, isBulkAccepted = false }: { sentence: string; isBulkAccepted?: boolean },
    ): void {
      made.push({
        sentence,
        before: groups.map((group) => [group, { choice: group.choice, isBulkAccepted: group.isBulkAccepted }]),
      });
      for (const group of groups) Object.assign(group, { choice: choose(group), isBulkAccepted });
    },
    /** Takes back the latest step. Returns its groups. */
    undo(): readonly Group[] {
      const { before = [] } = made.pop() ?? {};
      for (const [group, then] of before) Object.assign(group, then);
      return before.map(([group]) => group);
    },
    /** The sentence of the latest step that is not undone. */
    latest: (): string | undefined => made.at(-1)?.sentence,
  };
}

/** The groups in a state for which the service has a place. */
export function groupsWithPlaceIn(groups: readonly Group[], state: State): Group[] {
  return groups.filter((group) => stateOf(group) === state && foundIn(group.outcome));
}

/**
 * The other groups that are not decided, call their smallest place the same, and may mean this place too. A group that says in what
 * its place lies, and says it in other words than this one, means it only if it is what the service has first.
 */
export function similarGroups(groups: readonly Group[], group: Group, place: Place): Group[] {
  const [written, around] = [smallestIn(group), parentsIn(group)];
  return groups.filter((other) => {
    if (other === group || !isUnsure(other) || smallestIn(other) !== written) return false;
    const parents = parentsIn(other);
    const options = optionsOf(other);
    const isFree = parents === '' || parents === around;
    return (isFree ? options : options.slice(0, 1)).some(({ code }) => code === place.code);
  });
}
