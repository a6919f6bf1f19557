import type { Random } from './random.ts';

// Typing errors in names. Modelled on real lists, independent of how names are matched.

/** Changes a name; gives it back as it is where it has nothing to change. */
type Damage = (name: string, random: Random) => string;

const VOWELS = 'aeiou';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** A Roman numeral, or a letter after a number: with another one the name means another place. */
const NUMERAL = /\b[IVX]+\b|\b\d+-?[A-Z]\b/gi;

function letterIndexes(name: string): number[] {
  const numerals = [...name.matchAll(NUMERAL)].map(({ index, 0: { length } }) => [index, index + length] as const);
  const isNumeral = (at: number) => numerals.some(([from, end]) => at >= from && at <= end);
  return [...name].flatMap((letter, at) => (/\p{L}/u.test(letter) && !isNumeral(at) ? [at] : []));
}

function spliced(name: string, at: number, { remove, insert }: { remove: number; insert: string }): string {
  return name.slice(0, at) + insert + name.slice(at + remove);
}

const oneLetter: Damage = (name, random) => {
  const places = letterIndexes(name);
  if (places.length < 4) return name;
  const at = random.pick(places.slice(1));
  const letter = name[at] as string;
  const other = random.pick([...LETTERS].filter((it) => it !== letter.toLowerCase()));
  switch (random.below(4)) {
    case 0:
      return spliced(name, at, { remove: 1, insert: other });
    case 1:
      return spliced(name, at, { remove: 1, insert: '' });
    case 2:
      return spliced(name, at, { remove: 0, insert: other });
    default: {
      const next = name[at + 1];
      if (next === undefined || !places.includes(at + 1) || next === letter) {
        return spliced(name, at, { remove: 1, insert: '' });
      }
      return spliced(name, at, { remove: 2, insert: next + letter });
    }
  }
};

/** Spellings that are taken for one another. */
const BY_EAR: readonly (readonly [RegExp, string])[] = [
  [/c(?=[aou])/i, 'k'],
  [/k/i, 'c'],
  [/f/i, 'p'],
  [/p/i, 'f'],
  [/z/i, 's'],
  [/s(?=[aeiou])/i, 'z'],
  [/i/i, 'y'],
  [/y/i, 'i'],
  [/o/i, 'u'],
  [/u/i, 'o'],
  [/e/i, 'i'],
  [/v/i, 'b'],
  [/b/i, 'v'],
  [/qu/i, 'k'],
  [/j/i, 'h'],
  [/h/i, ''],
  [/ll/i, 'l'],
  [/ñ/i, 'ny'],
  [/w/i, 'u'],
  [/ia/i, 'ya'],
];

const byEar: Damage = (name, random) => {
  const fitting = BY_EAR.filter(([pattern]) => pattern.test(name.slice(1)));
  if (fitting.length === 0) return name;
  const [pattern, spelling] = random.pick(fitting);
  return name[0] + name.slice(1).replace(pattern, spelling);
};

const doubled: Damage = (name, random) => {
  const pairs = [...name.matchAll(/(\p{L})\1/giu)].filter(({ index }) => letterIndexes(name).includes(index));
  const [pair] = pairs;
  if (pair && random.chance(0.5)) return spliced(name, pair.index, { remove: 1, insert: '' });
  const places = letterIndexes(name).filter((at) => at > 0 && !VOWELS.includes(name[at] as string));
  if (places.length === 0) return name;
  const at = random.pick(places);
  return spliced(name, at, { remove: 0, insert: name[at] as string });
};

const ABBREVIATIONS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bSanto\b/, ['Sto.', 'Sto', 'STO.']],
  [/\bSanta\b/, ['Sta.', 'Sta', 'STA.']],
  [/\bSan\b/, ['Sn.', 'S.']],
  [/\bGeneral\b/, ['Gen.', 'Gen']],
  [/\bPresident\b/, ['Pres.', 'Pres']],
  [/\bBarangay\b/, ['Brgy.', 'Brgy', 'Bgy.', 'Bgy', 'Brg.']],
  [/\bBgy\./, ['Brgy.', 'Barangay', 'Bgy']],
  [/\bPoblacion\b/, ['Pob.', 'Pob', 'POB']],
  [/\bPob\./, ['Poblacion', 'Pob', '(Pob.)']],
  [/\bMount\b/, ['Mt.', 'Mt']],
  [/\bDistrict\b/, ['Dist.', 'Dist']],
  [/\bMaria\b/, ['Ma.']],
  [/\bNueva\b/, ['Nva.']],
  [/\bOccidental\b/, ['Occ.']],
  [/\bSto\./, ['Santo', 'Sto']],
  [/\bSta\./, ['Santa', 'Sta']],
  [/\bGen\./, ['General', 'Gen']],
  [/\bSubdivision\b/, ['Subd.']],
  [/\bVillage\b/, ['Vill.']],
];

const abbreviated: Damage = (name, random) => {
  const fitting = ABBREVIATIONS.filter(([pattern]) => pattern.test(name));
  if (fitting.length === 0) return name;
  const [pattern, forms] = random.pick(fitting);
  return name.replace(pattern, random.pick(forms));
};

const ROMAN = [
  '',
  'I',
  'II',
  'III',
  'IV',
  'V',
  'VI',
  'VII',
  'VIII',
  'IX',
  'X',
  'XI',
  'XII',
  'XIII',
  'XIV',
  'XV',
  'XVI',
  'XVII',
  'XVIII',
  'XIX',
  'XX',
];

const numerals: Damage = (name, random) => {
  const roman = /\b(X?(?:IX|IV|VI{0,3}|I{1,3})|XX?)\b/.exec(name);
  if (roman) return name.replace(roman[0], `${random.chance(0.2) ? 'No. ' : ''}${ROMAN.indexOf(roman[0])}`);
  return name.replace(/\b\d{1,2}\b/, (digits) => ROMAN[Number(digits)] || digits);
};

const cased: Damage = (name, random) => (random.chance(0.6) ? name.toUpperCase() : name.toLowerCase());

const unaccented: Damage = (name) => name.normalize('NFD').replace(/\p{M}/gu, '');

const garbled: Damage = (name, random) =>
  name.replace(/[ñÑ]/g, (letter) => random.pick(letter === 'ñ' ? ['Ã±', '?', '\uFFFD'] : ['Ã‘', '?', '\uFFFD']));

const spaced: Damage = (name, random) => {
  if (random.chance(0.4)) return `  ${name.replaceAll(' ', '  ')} `;
  if (random.chance(0.5) && name.includes(' ')) return name.replace(' ', '');
  const places = letterIndexes(name);
  if (places.length < 6) return ` ${name}`;
  const at = random.pick(places.slice(3, -2));
  return at === undefined ? name : spliced(name, at, { remove: 0, insert: ' ' });
};

const hyphens: Damage = (name, random) => {
  if (name.includes('-')) return name.replaceAll('-', random.pick(['', ' ', ' - ']));
  if (/[.,']/.test(name)) return name.replace(/[.,']/g, '');
  return name.replace(' ', '-');
};

/** A word less, where two are left. Numbers stay, and a word that is more than a remark such as `(Pob.)`. */
const wordDropped: Damage = (name, random) => {
  const words = name.split(' ');
  if (words.length < 3) return name;
  const at = random.below(words.length);
  if (/\d|^[IVX]+$/.test(words[at] as string)) return name;
  const left = words.filter((_, i) => i !== at);
  return left.every((word) => word.startsWith('(')) ? name : left.join(' ');
};

const remarked: Damage = (name, random) => `${name} ${random.pick(['(Capital)', '(Pob.)', '(capital)'])}`;

const numbered: Damage = (name, random) => {
  const number = random.pick([String(1000 + random.below(8999)), String(100000000 + random.below(899999999))]);
  return random.chance(0.5) ? `${name} ${number}` : `${name} - ${number}`;
};

const prefixed: Damage = (name, random) =>
  /^(Barangay|Bgy|Brgy)/.test(name)
    ? name
    : `${random.pick(['Brgy. ', 'Brgy ', 'Barangay ', 'Bgy. ', 'BRGY. '])}${name}`;

const cityForm: Damage = (name, random) => {
  const base = /City of (.+)$/.exec(name)?.[1] ?? /^(.+) City$/.exec(name)?.[1];
  if (base === undefined) return random.chance(0.5) ? `Municipality of ${name}` : name;
  return random.pick([`${base} City`, `City of ${base}`, base, `${base} CITY`, `${base.toUpperCase()} City`]);
};

/** Damages of a single name. */
export const DAMAGES = {
  case: cased,
  'no accents': unaccented,
  'garbled ñ': garbled,
  spacing: spaced,
  'hyphens, dots': hyphens,
  abbreviations: abbreviated,
  numerals,
  'one letter': oneLetter,
  'two letters': (name, random) => oneLetter(oneLetter(name, random), random),
  'by ear': byEar,
  'by ear twice': (name, random) => byEar(byEar(name, random), random),
  doubled,
  'word dropped': wordDropped,
  '(Capital), (Pob.)': remarked,
  'number after': numbered,
} satisfies Readonly<Record<string, Damage>>;

export const OF_CITIES: Readonly<Record<string, Damage>> = { 'City of, City, Municipality of': cityForm };

export const OF_BARANGAYS: Readonly<Record<string, Damage>> = { 'Brgy. before': prefixed };

/** Two or three damages one after another. */
export const combined: Damage = (name, random) => {
  const all = Object.values(DAMAGES);
  let damaged = name;
  for (let count = 2 + random.below(2); count > 0; count -= 1) damaged = random.pick(all)(damaged, random);
  return damaged;
};
