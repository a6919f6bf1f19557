import { spawn } from 'node:child_process';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';

// The parser of prometheus_client, which .ci/clients installs, refuses what is not OpenMetrics.

const PYTHON = process.env.CLIENTS_PYTHON ?? 'python3';
const JUDGE = fileURLToPath(new URL('metrics.py', import.meta.url));

interface Family {
  readonly type: string;
  readonly unit: string;
  readonly samples: readonly number[];
}

async function parsed(text: string): Promise<Record<string, Family>> {
  const python = spawn(PYTHON, [JUDGE], { stdio: ['pipe', 'pipe', 'ignore'] });
  python.stdin.end(text);
  return (await json(python.stdout)) as Record<string, Family>;
}

it('/metrics is read by the parser of Prometheus', async () => {
  const { address, masterToken } = inject('clientsService');
  const scrape = async (token: string) => {
    const accept = 'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
    return fetch(`${address}/metrics`, { headers: { Authorization: `Bearer ${token}`, Accept: accept } });
  };
  expect((await scrape('another-token-of-a-scraper')).status).toBe(401);
  const answer = await scrape(masterToken);
  expect(answer.headers.get('Content-Type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  const text = await answer.text();
  const families = await parsed(text);
  expect(Object.keys(families)).toHaveLength(text.match(/^# TYPE /gm)?.length ?? 0);
  expect(families).toMatchObject({
    pgds_build: { type: 'info', samples: [1] },
    pgds_part_up: { type: 'gauge', samples: [1, 1, 1, 1] },
    pgds_database_bytes: { type: 'gauge', unit: 'bytes' },
    pgds_instance_requests: { type: 'counter' },
    pgds_instance_answer_seconds: { type: 'counter', unit: 'seconds' },
  });
  // It does refuse other text.
  await expect(parsed(text.replace('# EOF\n', ''))).rejects.toThrow();
});
