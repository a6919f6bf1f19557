import { nameKey, searchKeys } from '../areas/names.ts';
import { typedName } from '../names/compare.ts';
import { findSame } from '../names/find.ts';
import { KIND } from '../names/forms.ts';
import { columnOf } from '../names/source.ts';
import { type Given, type GivenCoding, quoted } from './given.ts';
import { type Issue, outcomeOf } from './outcomes.ts';
import { parametersOf } from './resources.ts';
import { type Concept, SYSTEM, type Terminology, type Version, versionsIn } from './terminology.ts';
import type { ValueSet } from './value-sets.ts';

interface Checked {
  readonly coding: GivenCoding;
  readonly version: Version;
  readonly concept?: Concept | undefined;
  readonly issues: readonly Issue[];
}

interface Asked {
  /** The code system that is asked. */
  readonly url?: string | undefined;
  /** That of `code`. */
  readonly system: string | undefined;
  /** The version of codings that have none. */
  readonly named: string | undefined;
  /** The version of the resource that is asked. */
  readonly version: Version | undefined;
  /** Without one, the code has to be in the code system only. */
  readonly valueSet?: ValueSet;
}

/**
 * `$validate-code` of the code system and of value sets. A code that does not fit is no error: its result is false, with
 * the reasons as issues. Of several codings one has to fit.
 */
export async function validateCode(terms: Terminology, given: Given, asked: Asked): Promise<object> {
  const checked: Checked[] = [];
  for (const coding of given.codings(asked.system)) checked.push(await check(terms, given, coding, asked));
  const isRight = ({ concept, issues }: Checked) => concept && issues.every(({ severity }) => severity !== 'error');
  const shown = checked.find(isRight) ?? (checked[0] as Checked);
  const result = isRight(shown) === true;
  const issues = result ? shown.issues : checked.flatMap((it) => it.issues);
  const { coding, concept, version } = shown;
  return parametersOf(
    { name: 'result', valueBoolean: result },
    issues.length > 0 && { name: 'message', valueString: issues.map(({ text }) => text).join(' ') },
    { name: 'code', valueCode: coding.code },
    coding.system !== undefined && { name: 'system', valueUri: coding.system },
    concept && { name: 'version', valueString: version.version },
    concept && { name: 'display', valueString: concept.name },
    concept?.isActive === false && { name: 'inactive', valueBoolean: true },
    issues.length > 0 && { name: 'issues', resource: outcomeOf(issues) },
  );
}

async function check(
  terms: Terminology,
  given: Given,
  coding: GivenCoding,
  { url, version: ofResource, valueSet, named }: Asked,
): Promise<Checked> {
  const { code, system, at } = coding;
  const expression = at === 'code' ? 'code' : `${at}.code`;
  const { forced, fallback, checked } = versionsIn(given);
  const own = coding.version ?? named;
  const wanted = forced ?? ofResource?.version ?? own ?? fallback;
  const found = wanted === undefined ? terms.active : terms.find(wanted);
  const version = found ?? terms.active;
  const refused = (issue: Issue) => ({ coding, version, issues: [issue] });
  if (system === undefined) {
    const text = `${at}.system: must be given, ${SYSTEM}. A code without a system means nothing.`;
    return refused({ severity: 'warning', code: 'invalid', tx: 'invalid-data', text, expression: at });
  }
  const foreign = [url, system].find((it) => it !== undefined && it !== SYSTEM);
  if (foreign !== undefined || !found) {
    const text =
      foreign === undefined
        ? `${SYSTEM} has no version ${quoted(wanted ?? '')} here. It has ${terms.versions.map((it) => it.version).join(', ')}.`
        : `The code system ${quoted(foreign)} is not known here. It has to be ${SYSTEM}.`;
    return refused({ severity: 'error', code: 'not-found', tx: 'not-found', text, expression: at });
  }
  const concept = terms.concept(version, code);
  if (!concept) {
    const text = terms.unknown(version, code);
    return refused({ severity: 'error', code: 'code-invalid', tx: 'invalid-code', text, expression });
  }
  const issues = [
    ...versionIssues(terms, version, { own, checked }, at === 'code' ? 'version' : `${at}.version`),
    membershipOf(terms, version, concept, valueSet, expression),
    await displayOf(terms, version, concept, coding, given.flag('lenient-display-validation') === true),
  ];
  return { coding, version, concept, issues: issues.filter((it) => it !== undefined) };
}

/** Says that a code is of another version than the one that it is looked for in, or that a client wants another one. */
function versionIssues(
  terms: Terminology,
  version: Version,
  { own, checked }: { own: string | undefined; checked: string | undefined },
  expression: string,
): Issue[] {
  const isOther = (name: string | undefined) => name !== undefined && terms.find(name) !== version;
  const issues: Issue[] = [];
  if (isOther(own)) {
    const text = `The code is of the version ${quoted(own ?? '')}, and ${version.version} was asked for.`;
    issues.push({ severity: 'error', code: 'invalid', tx: 'vs-invalid', text, expression });
  }
  if (isOther(checked)) {
    const text = `check-system-version: must name ${version.version}, which the code is looked for in (got ${quoted(checked ?? '')}).`;
    issues.push({ severity: 'error', code: 'exception', tx: 'version-error', text, expression });
  }
  return issues;
}

/** Says that a code is not in a value set, or that it is inactive. */
function membershipOf(
  terms: Terminology,
  version: Version,
  concept: Concept,
  valueSet: ValueSet | undefined,
  expression: string,
): Issue | undefined {
  const { code, name, level, isActive } = concept;
  const successors = terms.successors(version, concept).map((it) => `${it.code} (${it.name})`);
  const inactive = isActive
    ? ''
    : ` It is inactive: ${version.version} does not have it any more. ${successors.length > 0 ? `Its successors: ${successors.join(', ')}.` : 'It has no known successor.'}`;
  if (valueSet && !(isActive && level !== null && valueSet.levels.includes(level))) {
    const text = `${code} (${name}) is not in the value set ${valueSet.url}, version ${version.version}.${inactive}`;
    return { severity: 'error', code: 'code-invalid', tx: 'not-in-vs', text, expression };
  }
  if (isActive) return undefined;
  const text = `${code} (${name}) should not be used.${inactive}`;
  return { severity: 'warning', code: 'business-rule', tx: 'code-comment', text, expression };
}

/** Says that a display is no name of the area. Accents, case and the word for its type make no difference. */
async function displayOf(
  terms: Terminology,
  version: Version,
  concept: Concept,
  { display, at }: GivenCoding,
  isLenient: boolean,
): Promise<Issue | undefined> {
  if (display === undefined || display === '') return undefined;
  if (searchKeys(concept.name).includes(nameKey(display))) return undefined;
  if (await isNameIn(terms, version, concept, display)) return undefined;
  const text = `${quoted(display)} is not the display of ${concept.code}: it is "${concept.name}".`;
  const expression = at === 'code' ? 'display' : `${at}.display`;
  return { severity: isLenient ? 'warning' : 'error', code: 'invalid', tx: 'invalid-display', text, expression };
}

/** Whether an area of a version is called so, now or formerly, as `/v1/match` reads names. */
async function isNameIn(
  terms: Terminology,
  version: Version,
  { code, level, isActive }: Concept,
  display: string,
): Promise<boolean> {
  if (level === null || !isActive) return false;
  const { index } = (await (await terms.areas(version)).names()).value;
  const row = index.rowOf(level, code);
  const found = findSame(index, typedName(index, display, columnOf(level))).sorted();
  return found.some((it) => it.row === row && it.kind !== KIND.district);
}
