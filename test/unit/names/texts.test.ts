import { beforeAll, describe, expect, it } from 'vitest';
import { type Judged, judged } from '../../../scripts/bench/names/judge.ts';
import { makeTexts } from '../../../scripts/bench/names/texts.ts';
import { readHistory } from '../../../scripts/pipeline/psgc/history.ts';
import { type MatchInput, matchRow } from '../../../src/names/match.ts';
import type { NameLevel } from '../../../src/names/source.ts';
import { type NamedCountry, namedCountry } from './country.ts';

let country: NamedCountry;
let kinds: { kind: string; goal: number | undefined; all: Judged[] }[];
beforeAll(async () => {
  country = await namedCountry();
  const lists = makeTexts(country.release, await readHistory(), { seed: 23, rows: 60 });
  kinds = lists.map(({ kind, goal, questions }) => ({
    kind,
    goal,
    all: questions.map((it) => judged(matchRow(country.index, it.row), it.codes)),
  }));
}, 120_000);

const match = (row: MatchInput, level?: NameLevel) => matchRow(country.index, row, level);

describe('matchRow, on texts in every order and with any separators', () => {
  it('is right as often as the goal of each kind says', () => {
    const isMissed = (it: Judged) => it !== 'right';
    // One or two of a few rows are no share.
    const missed = kinds.filter(
      ({ goal = 0, all }) => all.filter(isMissed).length > Math.max(2, (1 - goal) * all.length),
    );
    expect(kinds.length).toBeGreaterThan(50);
    expect(missed.map(({ kind }) => kind)).toEqual([]);
  });

  it('calls nothing exact or likely that is wrong', () => {
    const wrong = kinds.filter(({ all }) => all.some((it) => it === 'wrong exact' || it === 'wrong likely'));
    expect(wrong.map(({ kind }) => kind)).toEqual([]);
  });

  it.each<[string, string]>([
    ['Lipa City, Batangas, Brgy. Quezon', '0401014052'],
    ['Batangas Lipa City Quezon', '0401014052'],
    ['San Enrique, Iloilo, Iloilo', '0603039000'],
    ['Maayon, Capiz', '0601907000'],
    ['Dampol IIA, Pulilan, Bulacan', '0301418006'],
    ['Alabang', '1380800001'],
    ['Brgy 176-A Bagong Silang Caloocan', '1380100189'],
    ['Brgy.Poblacion,Makati', '1380300020'],
    ['12 Rizal St San Isidro Cainta Rizal', '0405805015'],
    ['Mercedes Camarines Norte Lalawigan', '0501607017'],
    ['Cuyo Lungsod Palawan', '1705310012'],
    ['City zf Candon, Ilocos Sur', '0102906000'],
    ['Scienne City of Muñoz, Nueva Ecija', '0304917000'],
    ['Sitio Mabini, Brgy. San Isidro, Cainta, Rizal', '0405805015'],
    ['Rehiyon II', '0200000000'],
    ['Reg. 8', '0800000000'],
    ['CDOC', '1030500000'],
    ['Cag. de Oro City', '1030500000'],
    ['CSFP', '0305416000'],
    ['Trece', '0402122000'],
    ['Quiapo, Mla.', '1380603000'],
    ['Metro Mla.', '1300000000'],
  ])('reads %j', (text, code) => {
    expect(match({ text })).toMatchObject({ match: expect.stringMatching(/^exact$|^likely$/), code });
  });

  it.each<[string, string, string]>([
    ['BGC', '1381500000', '"BGC" has no code of its own; it lies in City of Taguig.'],
    ['Cubao, Quezon City', '1381300000', '"Cubao" has no code of its own; it lies in Quezon City.'],
    ['San Roque, Cubao, Quezon City', '1381300102', '"Cubao" has no code of its own; it lies in Quezon City.'],
  ])('says what the district of %j lies in', (text, code, note) => {
    expect(match({ text })).toMatchObject({ match: 'likely', code, notes: [note] });
  });

  it('names a district that stands in the column of provinces', () => {
    const note = '"Cubao" has no code of its own; it lies in Quezon City.';
    expect(match({ province: 'Cubao' })).toMatchObject({
      match: 'likely',
      code: '1381300000',
      notes: expect.arrayContaining([note]),
    });
  });

  it.each<[MatchInput, string[]]>([
    [{ text: 'Novaliches' }, ['City of Caloocan', 'Novaliches', 'Quezon City']],
    [{ text: 'Jaro' }, ['City of Iloilo', 'Jaro']],
    [{ municity: 'Jaro' }, ['City of Iloilo', 'Jaro']],
  ])('names all that the district of %j lies in, and the places that are called so', (row, names) => {
    const { match: how, candidates } = match(row);
    expect([how, candidates.map(({ name }) => name).sort()]).toEqual(['ambiguous', names]);
  });

  it.each<[string, string]>([
    ['Dakbayan sa Sugbo', '0730600000'],
    ['Syudad sa Dabaw', '1130700000'],
    ['Lungsod ng Maynila', '1380600000'],
    ['Lalawigan ng Kabite', '0402100000'],
    ['Ciudad de Zamboanga', '0931700000'],
    ['Opon, Cebu', '0731100000'],
  ])('finds %j by the name in another language or of another time', (text, code) => {
    expect(match({ text })).toMatchObject({ match: expect.stringMatching(/^exact$|^likely$/), code });
  });

  it('says that a text has another order than that of an address', () => {
    const { match: how, notes } = match({ text: 'Lipa City, Quezon, Batangas' });
    expect([how, notes]).toEqual(['likely', ['The text was read with its areas in an unusual order.']]);
  });

  it('takes the name behind a marker for no city', () => {
    expect(match({ text: 'Brgy. Batangas, Cebu' }).code).not.toBe('0401005000');
    expect(match({ text: 'Brgy. Zzyzx, Lipa City, Batangas' })).toMatchObject({
      match: 'ambiguous',
      code: '0401014000',
    });
  });

  it.each<[string, string]>([
    ['Brgy. Poblacion, Brgy. Dulag, Lingayen, Pangasinan', '0105522014'],
    ['Brgy. Poblacion, Imbatug, Cabanglasan, Bukidnon', '1001322004'],
    ['Sitio San Isidro, Poblacion, Trento, Agusan del Sur', '1600312010'],
  ])('takes Poblacion in %j for the barangay that the town has, and not for a word beside the other', (text, other) => {
    const { match: how, code } = match({ text });
    expect([how, code]).not.toEqual(['exact', expect.anything()]);
    expect([how, code]).not.toEqual(['likely', other]);
  });

  it.each<[string, string]>([
    ['Poblacion, San Juan, La Union', '0103316000'],
    ['Brgy. Poblacion, Hagonoy, Bulacan', '0301409000'],
    ['Poblacion, Silang, Cavite', '0402118000'],
    ['Brgy. Poblacion, Lucena', '0431200000'],
    ['Pob. Las Piñas', '1380200000'],
    ['Pob., Manila', '1380600000'],
  ])('finds the town of %j, which has no barangay Poblacion, and no barangay of its name elsewhere', (text, code) => {
    expect(match({ text })).toMatchObject({ match: 'ambiguous', code });
  });

  it.each<[string, string[]]>([
    ['Brgy. San Jose, Bulacan', ['0301405010', '0301403017']],
    ['Brgy. San Roque, Rizal', ['0907212016', '0405801011']],
    ['Magsaysay, Quezon', ['1001317016', '0405603019']],
    ['Brgy. Poblacion III, Cotabato', ['1908703013', '1204711033']],
  ])('leaves the choice for %j, which may name a town or a province', (text, codes) => {
    const { match: how, candidates } = match({ text });
    expect(how).toBe('ambiguous');
    expect(candidates.map(({ code }) => code)).toEqual(expect.arrayContaining(codes));
  });

  it('is not sure of a barangay of a town where one of the province has the whole as its name', () => {
    expect(match({ text: 'Brgy. Apad Quezon, Quezon' }).match).not.toBe('exact');
    expect(match({ text: 'Apad, Quezon, Quezon' })).toMatchObject({ match: 'exact', code: '0405637001' });
  });

  it.each<[string, string, RegExp | undefined]>([
    // The province has barangays of the name too.
    ['Rizal, Nueva Ecija', '0304923000', /^There is a barangay "Rizal" too\.$/],
    ['San Isidro, Leyte', '0803742000', /barangay "San Isidro"/],
    ['San Vicente, Region V', '0501609000', /barangay "San Vicente"/],
    ['Concepcion, Iloilo', '0603015000', /barangay "Concepcion"/],
    // The first may be a barangay.
    ['San Jose, San Jose, Batangas', '0401022000', /"San Jose" is named twice\./],
    // The name of a person.
    ['Ferdinand Marcos', '0102813007', undefined],
  ])('is not sure of %j, and says why', (text, code, note) => {
    const result = match({ text });
    expect(result).toMatchObject({ match: 'likely', code });
    if (note) expect(result.notes.join()).toMatch(note);
  });

  it.each([
    ['Cebu, City', '0730600000'],
    ['Cebu (City)', '0730600000'],
    ['Cebu/City', '0730600000'],
    ['CEBU,CITY', '0730600000'],
    ['Cebu - City of', '0730600000'],
    ['Cebu, City, Cebu, Philippines', '0730600000'],
    ['ＣＥＢＵ　ＣＩＴＹ', '0730600000'],
    ['Ｌａｈｕｇ，　Ｃｅｂｕ　Ｃｉｔｙ', '0730600041'],
    ['Lahug, Cebu, City', '0730600041'],
    ['San Fernando, City, La Union', '0103314000'],
  ])('reads the word City behind a separator as a part of the name before: %j', (text, code) => {
    expect(match({ text })).toMatchObject({ match: 'exact', code });
  });

  it.each<[MatchInput, string]>([
    [{ text: 'City, Cebu' }, '0730600000'],
    [{ text: 'Brgy. City, Cebu City' }, '0730600000'],
    [{ text: 'Lahug, City, Cebu' }, '0730600041'],
    [{ barangay: 'City', municity: 'Cuyo', province: 'Palawan' }, '1705310000'],
    [{ barangay: 'Province', municity: 'Borongan City' }, '0802604000'],
  ])('takes the word for a type of place for no barangay: %j', (row, code) => {
    expect(match(row)).toMatchObject({ match: 'ambiguous', code });
  });

  it('finds the barangays whose names are words for types of places in other languages', () => {
    expect(match({ text: 'Lungsod, Cuyo, Palawan' })).toMatchObject({ match: 'exact', code: '1705310012' });
    expect(match({ text: 'Ciudad, Cebu City' })).toMatchObject({ match: 'likely', code: '0730600069' });
    expect(match({ text: 'Lalawigan, Borongan City' })).toMatchObject({ match: 'exact', code: '0802604027' });
  });

  it.each([
    ['Barangay, Antipolo City', '0405802000'],
    ['Barangay ___, Pasay City', '1381100000'],
    ['Concepcion, Marikina', '1380700000'],
    ['Aduas, Cabanatuan', '0304903000'],
  ])('finds the city of %j, which names no barangay, or one of several', (text, code) => {
    expect(match({ text })).toMatchObject({ match: 'ambiguous', code, needs: 'barangay' });
  });

  it.each([
    ['Roxas (Pob.), Isabela', '0203126000'],
    ['San Jose (Pob.), Occidental Mindoro', '1705110000'],
    ['Santa Cruz (Poblacion), Laguna', '0403426000'],
    ['Roxas Pob., Isabela', '0203126000'],
    ['Poblacion, Roxas, Isabela', '0203126000'],
    // A barangay, of the town behind it or of the only one that has it.
    ['San Jose (Pob.), Paluan, Occidental Mindoro', '1705107000'],
    ['San Jose (Pob.), Cebu', '0702216000'],
  ])('finds the town of %j if a town is asked for', (text, code) => {
    expect(match({ text }, 'municity')).toMatchObject({ match: 'likely', code, level: 'municity' });
  });

  it.each<[string, string[]]>([
    // The town of the province, or a barangay that is called as its centre.
    ['Poblacion, Roxas, Isabela', ['0203109015', '0203126000']],
    ['Brgy. Poblacion, San Jose, Occidental Mindoro', ['1705107011', '1705110000']],
    // Of barangays, no town has the one before it, nor lies it in the province behind it.
    ['San Juan, Guimba', ['1400122008']],
    ['Rizal, San Gabriel', ['0405814008', '0103315000']],
    ['Raja Soliman, Quezon, Quezon', ['0405649027', '0405637000']],
    ['Brgy. Santa Rosa, Laguna', ['0603020033']],
    // The town had the name once, and a barangay of the province has it.
    ['Maganoy, Maguindanao del Sur', ['1908820000', '1908803005']],
    // What stands beside a name may be a part of it.
    ['Santa Roza, Quezon', []],
    ['Santo Rosario, Jaro', []],
    // Towns in a wrong province, which has the name of a city too.
    ['Calamba, Tarlac', []],
    ['Naguilian, Cavite', ['0103311000', '0203120000']],
    ['Silang, Batangas', ['0402118000']],
    ['Paco, Bulacan', []],
    ['Samar Island', ['1102317000']],
    ['La Paz, Bataan', []],
  ])('decides nothing for %j', (text, codes) => {
    const { match: how, code, candidates } = match({ text });
    expect([how, code]).toEqual(['ambiguous', null]);
    expect(candidates.map((it) => it.code)).toEqual(expect.arrayContaining(codes));
  });

  it.each<[string, string]>([
    ['Concepcion, Nueva Valencia', '0607903000'],
    ['San Nicolas, Jose Panganiban', '0501605000'],
    ['Poblacion I, Catigbian', '0701213000'],
    ['Brgy. Poblacion No. 2, City of Guihulngan, Negros Oriental', '1804611000'],
    ['POBLACION VALENCIA NEGROS ORIENTAL', '1804623000'],
    ['Gerona, Laguna', '0306906000'],
    ['San Antonio, Bayabas', '1606802000'],
    ['Suyo, Palawan', '0102932000'],
    ['Brgy. Malapatan, Glan, Sarangani', '1208002000'],
    // Two places, of which none says more.
    ['Tanay Binangonan Rizal', '0405804000'],
    ['Tanay and Binangonan, Rizal', '0405804000'],
    ['Lahug and Mabolo, Cebu City', '0730600000'],
    ['Mayngaran, Mapiña, City of Masbate, Masbate', '0504111000'],
    ['Barangay 9/Daan Banua, City of Kabankalan, Negros Occidental', '1804515000'],
    ['Buug to Roseller Lim, Zamboanga Sibugay', '0908312000'],
    // A barangay of another town.
    ['Dalig Calatagan Batangas', '0401008000'],
    // It is no slip of the town's province.
    ['Caagaman, Ballesteros', '0201507000'],
    ['Casagan, Camalaniugan', '0201510000'],
    ['Barangay 2 Famy Laguna', '0403408000'],
    ['Brgy. Barangay No. 5, Oras, Eastern Samar', '0802617000'],
    // Persons.
    ['Aquino, Maria', '1806104000'],
    ['Santos, Maria', '1806104000'],
  ])('finds no more than the town of %j', (text, code) => {
    expect(match({ text })).toMatchObject({ match: 'ambiguous', code, needs: 'barangay' });
  });

  it.each([
    ['Quezon City, Quezon', '1381300000'],
    ['Isabela City, Isabela', '0990101000'],
    ['Cotabato City, Cotabato', '1908703000'],
  ])('is not sure of a city whose name is repeated as that of another province: %j', (text, code) => {
    expect(match({ text })).toMatchObject({ match: 'likely', code });
  });

  it('asks for the city of a street beside a province', () => {
    const found = match({ text: 'Baroy Village Lanao del Norte' });
    expect(found).toMatchObject({ match: 'ambiguous', code: '1003500000', needs: 'municity' });
    expect(found.notes).toEqual(['"Baroy Village" was passed over.']);
  });

  it.each<[string, string]>([
    ['Makati, Rizal', '1380300000'],
    ['Valenzuela, Bulacan', '1381600000'],
    ['Caloocan City, Rizal', '1380100000'],
  ])('finds the city of %j by the province that it was part of', (text, code) => {
    expect(match({ text })).toMatchObject({ match: 'likely', code });
  });

  it('turns no columns round that can be read as they stand', () => {
    expect(match({ municity: 'Baras', barangay: 'Rizal' }).match).toBe('ambiguous');
  });

  it('names all that became of a barangay that was divided', () => {
    const { match: how, candidates } = match({ text: 'Barangay 176, Caloocan' });
    expect(how).toBe('ambiguous');
    expect(candidates.map(({ name }) => name)).toEqual([...'ABCDEF'].map((letter) => `Barangay 176-${letter}`));
  });

  it('has the share of rows that are right as score, and how like they are as that of candidates', () => {
    expect(match({ province: 'Cebu', municity: 'Argao' }).score).toBe(1);
    const slips = match({ province: 'Cebu', municity: 'Argaw' });
    expect([slips.match, slips.score]).toEqual(['likely', expect.closeTo(0.998, 2)]);
    expect(slips.candidates[0]?.score).toBeLessThan(0.95);
    expect(match({ text: 'San Juan' }).score).toBeCloseTo(0.93 / Math.sqrt(7), 6);
    expect(match({ text: 'Brgy. Zzyzx, Lipa City, Batangas' })).toMatchObject({ code: '0401014000', score: 0.99 });
    expect(match({ text: 'Dubai, UAE' }).score).toBe(0);
  });

  it('leaves the choice where the name was that of another place', () => {
    for (const row of [{ barangay: 'Ligas II', municity: 'Bacoor' }, { text: 'Ligas II, Bacoor, Cavite' }]) {
      const { match: how, candidates } = match(row);
      expect(how).toBe('ambiguous');
      expect(new Map(candidates.map(({ name, since, until }) => [name, [since, until]]))).toEqual(
        new Map([
          ['Ligas 1', [undefined, '2023-1q']],
          ['Ligas 2', ['2023-4q', undefined]],
        ]),
      );
    }
    const { candidates } = match({ text: 'Barangay 176, Caloocan' });
    expect(candidates.map(({ until }) => until)).toEqual(Array.from('ABCDEF', () => '2024-2q'));
    expect(match({ text: 'Jordan' }).candidates.filter(({ since, until }) => since || until)).toEqual([]);
  });

  it.each(['JAPAN', 'Dubai, UAE', 'Hapon', 'London, United Kingdom', 'Estados Unidos'])(
    'finds nothing for %j',
    (text) => {
      expect(match({ text })).toMatchObject({ match: 'none', code: null });
    },
  );

  it('leaves the choice for a country of which a place has the name', () => {
    expect(match({ text: 'Jordan' })).toMatchObject({ match: 'ambiguous', code: null });
    expect(match({ text: 'Jordan, Guimaras' })).toMatchObject({ match: 'exact', code: '0607902000' });
  });

  it('prefers what is spelled right to what is like it above it', () => {
    expect(match({ text: 'Tallag' })).toMatchObject({ level: 'barangay', match: 'likely' });
    // One letter from two names.
    expect(match({ text: 'Palanaz' }).match).toBe('ambiguous');
  });

  it('reads a present name with a slip rather than a former one', () => {
    expect(match({ barangay: 'Bgy. 47 - Arimay', municity: 'Legazpi' })).toMatchObject({ code: '0500506001' });
  });
});
