/** Elements of FHIR resources that more than one of them has. */
import type { AppContext } from '../context.ts';
import { countFeatures } from '../rate-limits/rows.ts';

const SUBSETTED = {
  tag: [
    { system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED', display: 'subsetted' },
  ],
};

/** A resource that there is. It is written only when somebody reads it. */
export interface Resource {
  readonly type: 'CodeSystem' | 'ValueSet' | 'ConceptMap';
  readonly id: string;
  readonly url: string;
  readonly version: string;
  readonly name: string;
  readonly title: string;
  /** How many codes it is written with, where these are many. */
  readonly codes?: () => number;
  /** The members that a summary has. */
  readonly members: () => object;
  /** Those that it does not have, as text of JSON with a comma before them; undefined if there are none. */
  readonly rest?: (() => AsyncGenerator<string>) | undefined;
}

function headOf({ type, id, url, version, name, title, members }: Resource, isSummary: boolean): object {
  return {
    resourceType: type,
    id,
    ...(isSummary && { meta: SUBSETTED }),
    url,
    version,
    name,
    title,
    status: 'active',
    experimental: false,
    publisher: 'Philippine Statistics Authority',
    ...members(),
  };
}

/**
 * Counts a request for whole resources by their codes, a thousand as one request.
 *
 * @throws DomainError `rate_limit_exceeded`
 */
export function countCodes(c: AppContext, resources: readonly Resource[]): Promise<void> {
  const rows = resources.reduce((sum, { codes }) => sum + (codes?.() ?? 0), 0);
  return countFeatures(c, { rows: Math.max(rows, 1) });
}

/** The text of a resource, whole or without what a summary leaves out. */
export async function* textsOf(resource: Resource, isSummary: boolean): AsyncGenerator<string> {
  const { rest } = resource;
  const head = JSON.stringify(headOf(resource, isSummary && rest !== undefined));
  if (isSummary || !rest) {
    yield head;
    return;
  }
  yield head.slice(0, -1);
  yield* rest();
  yield '}';
}

/** Items of an array as text of JSON, many at a time. */
export async function* arrayOf(name: string, items: AsyncIterable<object> | Iterable<object>): AsyncGenerator<string> {
  let text = `,"${name}":[`;
  let separator = '';
  for await (const item of items) {
    text += separator + JSON.stringify(item);
    separator = ',';
    if (text.length < 64 * 1024) continue;
    yield text;
    text = '';
  }
  yield `${text}]`;
}

/** A parameter of a Parameters resource. */
export type Parameter = { readonly name: string } & Readonly<Record<string, unknown>>;

export function parametersOf(...parameter: readonly (Parameter | false | undefined)[]): object {
  return { resourceType: 'Parameters', parameter: parameter.filter(Boolean) };
}
