/** The media type of OpenMetrics 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/). */
export const OPENMETRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

type Labels = Readonly<Record<string, string>>;

/** A metric: what it means, and its values by their labels. */
export interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'info';
  readonly help: string;
  /** Where it has a unit, the name ends with it. */
  readonly unit?: 'seconds' | 'bytes';
  readonly samples: readonly (readonly [value: number, labels?: Labels])[];
  /** When a counter began, milliseconds since the epoch. */
  readonly since?: number;
}

/** What follows the name of a metric in its samples. */
const SUFFIXES = { gauge: '', counter: '_total', info: '_info' } as const;

/**
 * Metrics as text. One without a sample is left out: the specification allows it, but the validator of OpenMetrics refuses it
 * (https://github.com/prometheus/OpenMetrics/issues/299).
 */
export function openMetrics(metrics: readonly Metric[]): string {
  const lines = metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, type, help, unit, samples, since }) => [
      `# TYPE ${name} ${type}`,
      ...(unit ? [`# UNIT ${name} ${unit}`] : []),
      `# HELP ${name} ${escaped(help)}`,
      ...samples.flatMap(([value, labels = {}]) => [
        `${name}${SUFFIXES[type]}${labelText(labels)} ${value}`,
        ...(since === undefined ? [] : [`${name}_created${labelText(labels)} ${since / 1000}`]),
      ]),
    ]);
  return [...lines, '# EOF', ''].join('\n');
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
