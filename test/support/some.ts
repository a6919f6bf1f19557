/**
 * A list that has something in it, for a loop of a test to go through: a loop over an empty list would pass, whatever
 * it asserts.
 *
 * @throws when the list is empty
 */
export function some<List extends readonly unknown[]>(list: List): List {
  if (list.length === 0) throw new Error('A test goes through a list that is empty.');
  return list;
}
