import type { Deadline } from '../deadline.ts';

/** What every request is known by, from the first middleware on. */
export interface RequestVariables {
  /** How long the request still waits for things outside of the Worker. */
  deadline: Deadline;
  /** UUID, in the header X-Request-Id and in the log. */
  requestId: string;
  /** The id of the operation in the document; undefined where none is asked for. */
  operation: string | undefined;
  /** The code of the error that was answered; undefined without one, and for input that does not fit its schema. */
  errorCode: string | undefined;
  /** Whether a cache of ready answers had this one; undefined where none was asked. */
  cached: boolean | undefined;
  /** The path of the operation as the document has it; undefined where none is asked for. */
  route: string | undefined;
  /** Parameters of the query that the operation does not have, as notices name them; undefined where there are none. */
  unknownParameters: readonly string[] | undefined;
  /** The data release that the answer was made from, once it was read. */
  release: string | undefined;
  /** Where the answer's areas were read from, once they were. */
  areas: AreaStoreName | undefined;
}

/** Where areas are read from: the published objects of a release, or the database. */
export type AreaStoreName = 'snapshot' | 'postgis';
