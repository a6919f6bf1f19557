/**
 * The nine-digit codes (`RR PP MM BBB`, in use until 2021) that areas had, for lists that don't give them.
 * Source: the correspondence column of the PSA's workbook of 4Q 2023. `formerCode` agrees with it on every row.
 */

/** Cities and municipalities renumbered as a whole: today's `PPPMM` → the old `RRPPMM`. The barangay digits stayed. */
const RENUMBERED: Readonly<Record<string, string>> = {
  // Highly urbanised cities outside the capital
  '30100': '035401', // Angeles
  '30200': '064501', // Bacolod
  '30300': '141102', // Baguio
  '30400': '160202', // Butuan
  '30500': '104305', // Cagayan de Oro
  '30600': '072217', // Cebu
  '30700': '112402', // Davao
  '30800': '126303', // General Santos
  '30900': '103504', // Iligan
  '31000': '063022', // Iloilo
  '31100': '072226', // Lapu-Lapu
  '31200': '045624', // Lucena
  '31300': '072230', // Mandaue
  '31400': '037107', // Olongapo
  '31500': '175316', // Puerto Princesa
  '31600': '083747', // Tacloban
  '31700': '097332', // Zamboanga
  // The capital, whose old codes have a district where others have a province
  '80100': '137501', // Caloocan
  '80200': '137601', // Las Piñas
  '80300': '137602', // Makati
  '80400': '137502', // Malabon
  '80500': '137401', // Mandaluyong
  '80600': '133900', // Manila
  ...Object.fromEntries(Array.from({ length: 14 }, (_, i) => [String(80601 + i), String(133901 + i)])), // its 14 parts
  '80700': '137402', // Marikina
  '80800': '137603', // Muntinlupa
  '80900': '137503', // Navotas
  '81000': '137604', // Parañaque
  '81100': '137605', // Pasay
  '81200': '137403', // Pasig
  '81300': '137404', // Quezon City
  '81400': '137405', // San Juan
  '81500': '137607', // Taguig
  '81600': '137504', // Valenzuela
  '81701': '137606', // Pateros
  '90101': '099701', // Isabela City
  '08703': '129804', // Cotabato City
};

/**
 * The municipalities of Maguindanao, which was divided in 2022: today's `PPPMM` → the old `MM` (of `1538MM`, later
 * `19038MM`), and the old last three digits of the barangays that are numbered 001, 002, … today.
 */
const MAGUINDANAO: Readonly<Record<string, string>> = {
  '08701': '18: 1 2 3 12 13 4 5 6 7 11 8 14 9 10', // Barira
  '08702': '02: 1 2 5 7 9 11 8 12 17 18 20 21 22 23 25', // Buldon
  '08704': '30: 1 2 3 4 5 6 7 13 8 9 10 11 12', // Datu Blah T. Sinsuat
  // Datu Odin Sinsuat
  '08705': '07: 1 2 3 4 5 6 7 8 9 10 11 13 14 15 17 18 19 20 21 22 23 24 26 25 27 28 29 30 31 32 33 34 35 36',
  '08706': '14: 1 26 3 5 6 8 9 11 28 12 13 14 15 17 16 18 19', // Kabuntalan
  '08707': '09: 1 2 3 4 5 8 9 7', // Matanog
  '08708': '34: 1 2 3 4 5 6 7 8 9 10 11', // Northern Kabuntalan
  '08709': '11: 14 31 27 32 8 33 10 9 30 12 13 26 15 16 25 34 17 18 19 20 28 21 29 23 24', // Parang
  // Sultan Kudarat
  '08710':
    '12: 1 3 4 6 7 9 10 12 52 13 14 15 16 17 18 28 19 20 23 24 26 27 29 30 31 53 33 34 35 36 37 38 39 40 41 42 43 44 51',
  '08711': '24: 1 2 3 4 5 6 7 8 9 10 11 12 13', // Sultan Mastura
  '08712': '21: 2 3 4 5 6 7 8 11 12', // Talitay
  '08713': '15: 28 3 4 2 5 6 8 9 10 12 13 14 17 22 23 25 29 30 31 32 34 36 42', // Upi
  '08801': '01: 4 11 12 14 15 18 22 28 31 32 35', // Ampatuan
  '08802': '03: 8 23 30 39 40 45 54', // Buluan
  '08803': '28: 1 2 3 4 5 6 7 8 9 10', // Datu Abdullah Sangki
  '08804': '31: 1 2 3 4 5 6 7', // Datu Anggal Midtimbang
  '08805': '35: 1 2 3 4 10 5 6 7 8 9 11', // Datu Hoffer Ampatuan
  '08806': '05: 1 17 18 16 3 19 20 14 4 21 13 22 23 6 7 8 24 25 15 26 10 27 11', // Datu Paglas
  '08807': '06: 1 2 5 6 8 10 11 15 21 39 25 28 29 30 34 35', // Datu Piang
  '08808': '36: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17', // Datu Salibo
  '08809': '26: 2 3 5 7 8 9 10 13', // Datu Saudi Ampatuan
  '08810': '27: 1 2 3 4 5 6 8 10', // Datu Unsay
  '08811': '19: 1 2 5 6 7 8 9 10 11 12 13 15 16 17 18 19 20 21 22', // Gen. S.K. Pendatun
  '08812': '25: 1 2 3 4 5 6 7 8 9 10 11', // Guindulungan
  '08813': '20: 1 2 3 4 6 7 9 10 11 13 14 16 17 18', // Mamasapano
  '08814': '32: 1 2 3 4 5 6 7 8', // Mangudadatu
  '08815': '22: 1 2 3 4 5 6 7 8 9 10 11', // Pagagawan
  '08816': '10: 1 4 25 6 8 9 10 13 14 15 17 21', // Pagalungan
  '08817': '23: 5 1 2 6 3 7 8 4', // Paglat
  '08818': '33: 1 2 3 4 5 6 7 8', // Pandag
  '08819': '29: 1 2 3 4 5 6 7 8 9 10 11', // Rajah Buayan
  '08820': '08: 2 4 11 12 13 23 34 46 47 37 38 39 40', // Shariff Aguak
  '08821': '37: 1 2 3 4 5 6 7 8 15 9 10 11 16 12 13 14', // Shariff Saydona Mustapha
  '08822': '17: 2 3 4 5 1 6 7 8 9 10 11', // South Upi
  '08823': '13: 1 3 4 6 8 13 15 21 50 28 45 46', // Sultan Sa Barongis
  '08824': '16: 28 32 5 7 8 9 13 14 18 19 25 33 35 36 38', // Talayan
};

/**
 * Barangays that moved to another city or municipality: today's `PPPMM` → the number of the first one, and the old
 * codes in the order of today's numbers. Those of the Special Geographic Area came from Cotabato province. Its clusters
 * of Pikit and Midsayap exchanged three barangays between 2023 and 2025, which are therefore listed twice.
 */
const TRANSFERRED: Readonly<Record<string, string>> = {
  // EMBO, from Makati to Taguig in 2023 (Supreme Court, G.R. 235316)
  '81500': '029: 137602003 137602004 137602007 137602016 137602019 137602021 137602022 137602033 137602028 137602032',
  '99901': '001: 124702010 124702015 124702016 124702024 124702027 124702030 124702039',
  '99902': '001: 124703004 124703013 124703017 124703021 124703022 124703023 124703024',
  '99903': '001: 124709020 124709016 124709027 124709029 124709047 124709050 124709051',
  '99904': '001: 124709011 124709014 124709015 124709019 124709030 124709033 124717004',
  '99905':
    '001: 124711003 124711009 124711012 124711013 124711014 124711016 124711017 124711018 124711022 124711029 124711036 124711028',
  '99906': '001: 124712006 124712008 124712019 124712022 124712040 124712041 124712044 124712048',
  '99907': '001: 124712001 124712007 124712010 124712012 124712021 124712024 124712034 124712052',
  '99908': '001: 124712005 124712009 124717004 124712030 124712035 124712037 124712062 124717017 124712034 124712048',
};

const TRANSFERRED_BARANGAYS = new Map(
  Object.entries(TRANSFERRED).flatMap(([municity, line]) => {
    const [first, codes] = split(line);
    return codes.map((code, i): [string, string] => [municity + String(Number(first) + i).padStart(3, '0'), code]);
  }),
);

/** Old `RRPPMM` → today's `PPPMM`, of what was renumbered when codes got ten digits. */
const HOLDERS = new Map(Object.entries(RENUMBERED).map(([municity, old]) => [old, municity]));

function split(line: string): [string, string[]] {
  const [head = '', tail = ''] = line.split(': ');
  return [head, tail.split(' ')];
}

/**
 * The nine-digit code of a ten-digit code, or null where none is known. A barangay that was created later gets the code
 * that it would have had. The digits of the region are today's, because the rule of the last eight digits ignores them.
 */
export function formerCode(code: string): string | null {
  // BARMM took over the code of the ARMM.
  const region = code.startsWith('19') ? '15' : code.slice(0, 2);
  const municity = code.slice(2, 7);
  const barangay = code.slice(7);
  const transferred = TRANSFERRED_BARANGAYS.get(code.slice(2));
  if (transferred) return transferred;
  const renumbered = RENUMBERED[municity];
  if (renumbered) return renumbered + barangay;
  const divided = MAGUINDANAO[municity];
  if (divided) {
    const [old, barangays] = split(divided);
    if (barangay === '000') return `1538${old}000`;
    const digits = barangays[Number(barangay) - 1];
    return digits === undefined ? null : `1538${old}${digits.padStart(3, '0')}`;
  }
  return code[2] === '0' ? region + code.slice(3) : null;
}

/**
 * The first ten-digit code that replaced a nine-digit code. It is the code in the city that had the number then
 * (137602003 → 1380300003, while it belonged to Makati), else the same digits with a zero before the province
 * (153801004 → 1903801004).
 */
export function firstTenDigitCode(nine: string): string {
  const region = nine.startsWith('15') ? '19' : nine.slice(0, 2);
  const holder = HOLDERS.get(nine.slice(0, 6));
  return holder ? region + holder + nine.slice(6) : `${region}0${nine.slice(2)}`;
}
