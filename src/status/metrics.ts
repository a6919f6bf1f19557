import type { ServiceContext } from '../context.ts';
import { instanceTotals } from '../request-metrics.ts';
import { buildOf } from './build.ts';
import { type JobRuns, readJobRuns } from './jobs.ts';
import { type Metric, openMetrics } from './openmetrics.ts';
import { askBucket, askCounters, askGeography, probe } from './readiness.ts';
import { countStored, type StoredNumbers } from './repo.ts';

/** Metrics of one number of the database each: its name, what it means, and where it is in the row. */
const STORED: readonly (readonly [
  name: string,
  help: string,
  column: keyof StoredNumbers,
  unit?: 'bytes' | 'seconds',
])[] = [
  ['pgds_accounts', 'Accounts, also deleted ones. Beyond 100,000 an estimate.', 'accounts'],
  ['pgds_accounts_deleted', 'Accounts that are deleted.', 'deleted_accounts'],
  ['pgds_api_keys', 'API keys, also revoked and expired ones. Beyond 100,000 an estimate.', 'api_keys'],
  ['pgds_datasets', 'Datasets. Beyond 100,000 an estimate.', 'datasets'],
  ['pgds_features', 'Features of datasets, as the database estimates them.', 'features'],
  ['pgds_stored_bytes', 'What the datasets of all accounts store.', 'stored_bytes', 'bytes'],
  ['pgds_database_bytes', 'The size of the database.', 'database_bytes', 'bytes'],
  ['pgds_uploads_pending', 'Uploads that are being received or read.', 'uploads_pending'],
  ['pgds_uploads_abandoned', 'Uploads without a sign of life for an hour, not yet deleted.', 'uploads_abandoned'],
  ['pgds_versions_unused', 'Replaced or deleted contents of datasets, not yet deleted.', 'versions_unused'],
  [
    'pgds_webhook_events_without_effect',
    'Events of the last day that had no effect although their type has one.',
    'events_without_effect',
  ],
  ['pgds_webhook_last_event_timestamp_seconds', 'When the last event arrived.', 'last_event', 'seconds'],
  [
    'pgds_database_role_may_alter_schema',
    'Whether the role of the service may alter the schema, which it should not.',
    'may_alter_schema',
  ],
];

/**
 * What the service reports of itself, as OpenMetrics. What does not answer is 0 in `pgds_part_up`, and what only it knows is
 * left out.
 *
 * @param asksDatabase whether the database is probed, which wakes it
 */
export async function metricsOf(ctx: ServiceContext, { asksDatabase }: { asksDatabase: boolean }): Promise<string> {
  const [database, bucket, geography, counters, jobs] = await Promise.all([
    asksDatabase ? probe('database', () => countStored(ctx.db)) : undefined,
    askBucket(ctx),
    askGeography(ctx),
    askCounters(ctx),
    probe('jobs', () => readJobRuns(ctx)),
  ]);
  const parts = [...(database ? [database] : []), bucket, geography, counters];
  const { version, commit, environment } = buildOf(ctx.config);
  const list = geography.value?.list;
  return openMetrics([
    gauge('pgds_build', 'The build that answers.', [[1, { version, commit, environment }]], { type: 'info' }),
    gauge(
      'pgds_part_up',
      'Whether a part of the service answers.',
      parts.map(({ name, error }) => [error === undefined ? 1 : 0, { part: name }]),
    ),
    gauge(
      'pgds_part_answer_seconds',
      'How long a part took to answer.',
      parts.map(({ name, ms }) => [ms / 1000, { part: name }]),
      { unit: 'seconds' },
    ),
    gauge('pgds_release', 'The data release that is served.', releaseSample(geography.value?.release), {
      type: 'info',
    }),
    gauge('pgds_list_age_days', 'How old the list of the PSGC is that is served.', one(list?.age_days)),
    gauge(
      'pgds_list_newer_likely',
      'Whether a newer list was probably published.',
      one(list && Number(list.newer_likely)),
    ),
    ...STORED.map(([name, help, column, unit]) => {
      const value = database?.value?.[column];
      return gauge(
        name,
        help,
        one(value === null || value === undefined ? undefined : Number(value)),
        unit && { unit },
      );
    }),
    ...jobMetrics(jobs.value ?? {}),
    ...instanceMetrics(),
  ]);
}

type Samples = Metric['samples'];

function gauge(name: string, help: string, samples: Samples, more: Partial<Metric> = {}): Metric {
  return { name, type: 'gauge', help, samples, ...more };
}

function one(value: number | undefined): Samples {
  return value === undefined ? [] : [[value]];
}

function releaseSample(release: string | undefined): Samples {
  return release === undefined ? [] : [[1, { release }]];
}

function jobMetrics(runs: Readonly<Record<string, JobRuns>>): Metric[] {
  const at = (outcome: keyof JobRuns): Samples =>
    Object.entries(runs).flatMap(([job, { [outcome]: ms }]) => (ms === undefined ? [] : [[ms / 1000, { job }]]));
  const unit = { unit: 'seconds' } as const;
  return [
    gauge('pgds_job_done_timestamp_seconds', 'When a scheduled job was done last.', at('done'), unit),
    gauge('pgds_job_failed_timestamp_seconds', 'When a scheduled job failed last.', at('failed'), unit),
  ];
}

/** The counters of the instance that answers. There are many instances on the platform, and one on one's own server. */
function instanceMetrics(): Metric[] {
  const { since, statuses, errors, uncounted, ms, databaseMs } = instanceTotals();
  const counter = (name: string, help: string, samples: Samples, more: Partial<Metric> = {}) =>
    gauge(name, `${help} Of the instance that answers this.`, samples, { type: 'counter', since, ...more });
  const by = (label: string, counts: ReadonlyMap<string, number>): Samples =>
    [...counts].map(([name, count]) => [count, { [label]: name }]);
  const unit = { unit: 'seconds' } as const;
  return [
    counter('pgds_instance_requests', 'Requests by the class of their status.', by('status', statuses)),
    counter('pgds_instance_errors', 'Requests by the code of their error.', by('code', errors)),
    counter('pgds_instance_uncounted_requests', 'Requests that the counters did not count.', one(uncounted)),
    counter('pgds_instance_answer_seconds', 'Time until answers began, in sum.', one(ms / 1000), unit),
    counter('pgds_instance_database_seconds', 'Waits for the database, in sum.', one(databaseMs / 1000), unit),
  ];
}
