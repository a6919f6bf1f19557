import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../context.ts';

/** The media type of everything here. */
export const FHIR_TYPE = 'application/fhir+json; charset=utf-8';

/** https://build.fhir.org/ig/HL7/fhir-tx-ecosystem-ig/CodeSystem-tx-issue-type.html */
const TX_ISSUE_TYPE = 'http://hl7.org/fhir/tools/CodeSystem/tx-issue-type';

/** An issue of an OperationOutcome. */
export interface Issue {
  readonly severity: 'error' | 'warning';
  /** Of http://hl7.org/fhir/issue-type. */
  readonly code: string;
  /** Of the code system of issues of terminology. */
  readonly tx?: string | undefined;
  readonly text: string;
  /** Where in the request it is. */
  readonly expression?: string | undefined;
}

export function outcomeOf(issues: readonly Issue[]): object {
  return {
    resourceType: 'OperationOutcome',
    issue: issues.map(({ severity, code, tx, text, expression }) => ({
      severity,
      code,
      details: { ...(tx && { coding: [{ system: TX_ISSUE_TYPE, code: tx }] }), text },
      // HAPI shows these and not the text.
      diagnostics: text,
      ...(expression && { expression: [expression] }),
    })),
  };
}

/** The types of issues by status. Other statuses are `processing`. */
const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'invalid',
  401: 'login',
  403: 'forbidden',
  404: 'not-found',
  405: 'not-supported',
  406: 'not-supported',
  413: 'too-long',
  414: 'too-long',
  415: 'not-supported',
  429: 'throttled',
  500: 'exception',
  503: 'transient',
};

/** The types of issues by code of the service, where the status does not tell them, with those of terminology. */
const BY_CODE: Readonly<Record<string, Pick<Issue, 'code' | 'tx'>>> = {
  area_not_found: { code: 'not-found', tx: 'invalid-code' },
  edition_not_found: { code: 'not-found', tx: 'not-found' },
  resource_not_found: { code: 'not-found', tx: 'not-found' },
  too_many_areas: { code: 'too-costly' },
};

/** Answers errors as OperationOutcome, with the status and the headers that they have. */
export function asOutcomes(): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next();
    const { status, headers } = c.res;
    if (status < 400 || !/^application\/json\b/.test(headers.get('Content-Type') ?? '')) return;
    const { code = '', message } = (await c.res.json()) as { code?: string; message: string };
    const type = BY_CODE[code] ?? { code: BY_STATUS[status] ?? 'processing' };
    const body = JSON.stringify(outcomeOf([{ severity: 'error', ...type, text: message }]));
    const kept = new Headers(headers);
    kept.delete('Content-Length');
    kept.set('Content-Type', FHIR_TYPE);
    // What is set in place of a response gets its headers first.
    c.res = undefined;
    c.res = new Response(body, { status, headers: kept });
  };
}
