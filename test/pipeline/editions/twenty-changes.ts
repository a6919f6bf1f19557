import type { Publication, PublishedRow } from '../../../scripts/pipeline/psgc/publication.ts';

/** Codes of areas before and after a change, and the name that was given up or taken by it. */
export interface Made {
  what: string;
  from: string[];
  to: string[];
  formerName?: string;
}

/**
 * A list of the whole country in which twenty things happened since another one.
 *
 * @param used the beginnings of the codes of provinces that are left alone; those in which something happens are added
 */
export function twentyChanges(
  before: Publication,
  edition: string,
  used = new Set<string>(),
): { publication: Publication; made: Made[] } {
  const rows = before.rows.map((row) => ({ ...row, formerNames: [] as string[] }));
  const made: Made[] = [];
  const under = (code: string, digits: number) => rows.filter((row) => row.code.startsWith(code.slice(0, digits)));
  const barangays = (town: string) => under(town, 7).filter(({ level }) => level === 'Bgy');
  /** A municipality that nothing has happened to yet, with names that tell its barangays apart. */
  const nextTown = (isFit: (row: PublishedRow) => boolean = () => true) => {
    const town = rows.find(
      (row) => row.level === 'Mun' && !used.has(row.code.slice(0, 5)) && barangays(row.code).length > 9 && isFit(row),
    );
    if (!town) throw new Error('The country is too small');
    used.add(town.code.slice(0, 5));
    return { town, own: barangays(town.code) as [PublishedRow, PublishedRow, PublishedRow, ...PublishedRow[]] };
  };
  const remove = (row: PublishedRow) => rows.splice(rows.indexOf(row as (typeof rows)[number]), 1);
  const add = (like: PublishedRow, code: string, name: string) => {
    const row: PublishedRow = {
      ...like,
      code,
      name,
      at: `made ${code}`,
      correspondence: null,
      notes: [],
      formerNames: [],
    };
    rows.push(row);
    return row;
  };
  const tell = (what: string, from: string[], to: string[], formerName?: string) =>
    made.push({ what, from, to, ...(formerName !== undefined && { formerName }) });
  const free = (town: string, nth: number) => `${town.slice(0, 7)}${900 + nth}`;

  const mark = edition.replace(' ', ' ng ');
  for (const name of [`Bagumbuhay ${mark}`, `Bagongsilang ${mark}`]) {
    const [one] = nextTown().own;
    tell('a barangay with another name', [one.code], [one.code], one.name);
    one.name = name;
  }
  for (const name of [`Villa Marikit ${mark}`, `Villa Maringal ${mark}`]) {
    const { town } = nextTown();
    tell('a municipality with another name', [town.code], [town.code], town.name);
    town.name = name;
  }
  for (let i = 0; i < 2; i += 1) {
    const { town, own } = nextTown();
    const to = free(town.code, 1);
    tell('a barangay with another code', [own[0].code], [to]);
    own[0].code = to;
  }
  for (const digits of [7, 5]) {
    const { town, own } = nextTown();
    const isOther = ({ level, code }: PublishedRow) => level === 'Mun' && (digits === 7 || code !== town.code);
    const { code } = under(town.code, digits).find(isOther) as PublishedRow;
    const [barangay] = own;
    const [from, to] = [barangay.code, free(code, 2 + 10 * Number(mark[0]))];
    barangay.code = to;
    if (digits === 7) {
      barangay.notes = [`3/ renamed from Barangay ${barangay.name}`];
      tell('a barangay with another code and name', [from], [to], barangay.name);
      barangay.name = `Palipat-lipat ${mark}`;
    } else tell('a barangay that moved to another municipality', [from], [to]);
  }
  for (const word of ['Una', 'Ikalawa']) {
    const { town, own } = nextTown();
    const [one, other] = own;
    const row = add(one, free(town.code, 3), `Pinag-isang ${word} ${mark}`);
    row.notes = [
      `a/ sum of the population of the merged barangays per Ordinance 7 (Barangays ${one.name} and ${other.name})`,
    ];
    tell('two barangays that were merged', [one.code, other.code], [row.code], one.name);
    remove(one);
    remove(other);
  }
  for (let i = 0; i < 2; i += 1) {
    const { town, own } = nextTown();
    const parts = ['Silangan', 'Kanluran'].map((part, k) =>
      add(own[0], free(town.code, 4 + k), `${own[0].name} ${part}`),
    );
    tell(
      'a barangay that was divided',
      [own[0].code],
      parts.map(({ code }) => code),
      own[0].name,
    );
    remove(own[0]);
  }
  for (const name of [`Anak ${mark}`, `Supling ${mark}`]) {
    const { town, own } = nextTown();
    const daughter = add(own[0], free(town.code, 6), name);
    own[0].notes = [`b/ including the population count of newly created Barangay ${name}`];
    tell('a barangay made out of another', [own[0].code], [own[0].code, daughter.code]);
  }
  for (let i = 0; i < 2; i += 1) {
    const { town } = nextTown();
    tell('a municipality that became a city', [town.code], [town.code], town.name);
    Object.assign(town, { level: 'City', cityClass: 'CC', name: `City of ${town.name}` });
  }
  for (let i = 0; i < 2; i += 1) {
    const { town, own } = nextTown();
    const made = `${town.code.slice(0, 5)}${90 + i}000`;
    add(town, made, `Bagong Bayan ${i} ${mark}`);
    tell('a municipality that was divided', [town.code], [town.code, made]);
    for (const barangay of own.slice(0, 4)) barangay.code = made.slice(0, 7) + barangay.code.slice(7);
  }
  for (const [code, name, region] of [
    [`9${mark[0]}`, `Hilagang Lalawigan ${mark}`, ''],
    ['92', '', '17'],
  ] as const) {
    const { town } = nextTown();
    const province = rows.find((row) => row.level === 'Prov' && row.code.slice(0, 5) === town.code.slice(0, 5));
    if (!province) throw new Error(`${town.code} has no province`);
    const towns = under(province.code, 5).filter(({ level }) => level === 'Mun');
    const prefix = region === '' ? `${province.code.slice(0, 3)}${code}` : `${region}${province.code.slice(2, 5)}`;
    if (region === '') {
      add(province, `${prefix}00000`, name);
      used.add(prefix);
      tell('a province that was divided', [province.code], [province.code, `${prefix}00000`]);
      const moving = towns.slice(0, 2).flatMap((row) => under(row.code, 7));
      for (const row of moving) row.code = prefix + row.code.slice(5);
    } else {
      tell('a province that went to another region', [province.code], [`${prefix}00000`]);
      used.add(prefix);
      for (const row of under(province.code, 5)) row.code = prefix + row.code.slice(5);
    }
  }
  rows.sort((a, b) => (a.code < b.code ? -1 : 1));
  return { publication: { ...before, edition, rows, summary: [] }, made };
}
