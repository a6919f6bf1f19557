import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile } from 'node:fs/promises';

/** The folder of the migrations, and in it the file of their hashes, which `sha256sum --check` reads too. */
const FOLDER = new URL('../../migrations/', import.meta.url);
const SUMS = new URL('SHA256SUMS', FOLDER);

/** What is wrong with the migrations: those that are other than when they landed, gone, or not recorded yet. */
export async function migrationFaults(): Promise<string[]> {
  const [recorded, current] = await Promise.all([recordedSums(), currentSums()]);
  return [
    ...[...recorded].flatMap(([file, sum]) => {
      const now = current.get(file);
      if (now === sum) return [];
      const what = now === undefined ? 'is gone' : 'is another than when it landed';
      return [`migrations/${file} ${what}: databases have it already. Restore it, and add a migration in its place.`];
    }),
    ...[...current.keys()].flatMap((file) =>
      recorded.has(file) ? [] : [`migrations/${file} is not in migrations/SHA256SUMS. Run npm run db:sums.`],
    ),
  ];
}

/**
 * Records the hashes of new migrations.
 *
 * @returns the names of their files
 */
export async function recordMigrations(): Promise<string[]> {
  const [recorded, current] = await Promise.all([recordedSums(), currentSums()]);
  const added = [...current].filter(([file]) => !recorded.has(file));
  await appendFile(SUMS, added.map(([file, sum]) => `${sum}  ${file}\n`).join(''));
  return added.map(([file]) => file);
}

async function recordedSums(): Promise<Map<string, string>> {
  const lines = (await readFile(SUMS, 'utf8')).trimEnd().split('\n');
  return new Map(lines.filter(Boolean).map((line) => [line.slice(66), line.slice(0, 64)]));
}

async function currentSums(): Promise<Map<string, string>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort();
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, FOLDER))));
  return new Map(texts.map((text, i) => [files[i] as string, createHash('sha256').update(text).digest('hex')]));
}
