import { get } from 'node:http';
import { goalCells, printTable } from './table.ts';
import { MASTER, type MeasuredWorker } from './worker.ts';

const PATH = '/v1/provinces?format=geojson&geometry=medium';
const MB = 1_000_000;

/** Max bytes sent with brotli. */
const GOAL = 0.7 * MB;

/** Measures the size on the wire of all provinces by requested encoding. */
export async function measureWire({ url }: MeasuredWorker): Promise<void> {
  const rows: string[][] = [];
  for (const encoding of ['br', 'gzip', 'identity']) {
    const { bytes, sent } = await bytesOf(url + PATH, encoding);
    const goal = encoding === 'br' ? `≤ ${GOAL / MB} MB` : undefined;
    rows.push([encoding, sent, `${(bytes / MB).toFixed(2)} MB`, ...goalCells(goal, bytes <= GOAL)]);
  }
  printTable('All provinces, medium, on the wire', ['asked for', 'sent as', 'bytes', 'goal', ''], rows);
}

function bytesOf(url: string, encoding: string): Promise<{ bytes: number; sent: string }> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { headers: { ...MASTER, 'Accept-Encoding': encoding } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve({ bytes, sent: response.headers['content-encoding'] ?? 'identity' }));
      response.on('error', reject);
    });
    sent.on('error', reject);
  });
}
