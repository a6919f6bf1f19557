import list from './abroad.json' with { type: 'json' };
import { fold } from './fold.ts';

/** Cities, and short names of countries, that are missing in Unicode's region names: the name and its source. */
const abroad = list as unknown as readonly (readonly [name: string, source: string])[];

let names: ReadonlySet<string> | undefined;

/** Whether a text is exactly the name of a country or of a city abroad. */
export function isAbroad(text: string): boolean {
  names ??= namesAbroad();
  return names.has(fold(text));
}

function namesAbroad(): Set<string> {
  const found = new Set(abroad.map(([name]) => fold(name)));
  for (const language of ['en', 'fil', 'es']) {
    const countries = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of regionCodes()) {
      const name = countries.of(code);
      if (name !== undefined) found.add(fold(name));
    }
  }
  return found;
}

/** All possible two-letter country codes except that of the Philippines. */
function regionCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => code !== 'PH' && code !== 'ZZ');
}
