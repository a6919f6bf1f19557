import {
  foundIn,
  type Group,
  isUnsure,
  optionsOf,
  type Place,
  parentsIn,
  rowsIn,
  type State,
  smallestIn,
  smallestOf,
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

/** The codes of the candidates of a group, whatever their order; empty if it has none. */
function candidatesOf(group: Group): string {
  return optionsOf({ ...group, choice: undefined })
    .map(({ code }) => code)
    .sort()
    .join();
}

/**
 * The other groups that are not decided, call their smallest place the same or have the same candidates for it, and may mean this place
 * too. A group that says in what its place lies, and says it in other words than this one, means it only if it is what the service has
 * first.
 */
export function similarGroups(groups: readonly Group[], group: Group, place: Place): Group[] {
  const [written, around, candidates] = [smallestIn(group), parentsIn(group), candidatesOf(group)];
  return groups.filter((other) => {
    if (other === group || !isUnsure(other)) return false;
    if (smallestIn(other) !== written && (candidates === '' || candidatesOf(other) !== candidates)) return false;
    const parents = parentsIn(other);
    const options = optionsOf(other);
    const isFree = parents === '' || parents === around;
    return (isFree ? options : options.slice(0, 1)).some(({ code }) => code === place.code);
  });
}

/** The spellings in which some groups call their smallest place, other than one group does, each once. */
export function otherSpellings(groups: readonly Group[], group: Group): string[] {
  const spelled = new Map(groups.map((one) => [smallestIn(one), smallestOf(one)]));
  spelled.delete(smallestIn(group));
  return [...spelled.values()];
}

/**
 * Groups by how many rows a decision may settle, the most first: those of all groups with the same candidates that say the same of what
 * their places lie in. These follow each other.
 */
export function sortedByReach(groups: readonly Group[]): Group[] {
  const together = Map.groupBy(groups, (group) => `${candidatesOf(group)}\n${parentsIn(group)}`);
  return [...together.values()]
    .sort((a, b) => rowsIn(b) - rowsIn(a))
    .flatMap((same) => same.toSorted((a, b) => b.rows.length - a.rows.length));
}
