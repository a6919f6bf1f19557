/**
 * Facts about the administrative order of the country that no code list states. Areas are written by their last eight
 * digits (`PPP MM BBB`), which are unique below regions and stay the same when an area moves to another region.
 */

/** Code of the National Capital Region. It has no provinces, and nothing in it has a host. */
export const NCR = '1300000000';

/** City of Manila: the only city with sub-municipalities. */
export const MANILA = '1380600000';

/** The City of Isabela: a component city of Region IX that lies in Basilan and belongs to no province. */
export const ISABELA_CITY = '90101000';

/**
 * Independent component cities. Their codes contain the digits of a province. But by their charters their voters don't
 * vote in provincial elections, and the province doesn't supervise them (RA 7160, section 451).
 */
export const INDEPENDENT_COMPONENT_CITIES: readonly string[] = [
  '05518000', // Dagupan, RA 170
  '03135000', // Santiago, RA 7720 as amended
  '01724000', // Naga, RA 305
  '03738000', // Ormoc, RA 179
  '08703000', // Cotabato, RA 2364
];

/** City or municipality → the province in which it lies without belonging to it. */
export const HOSTS: ReadonlyMap<string, string> = new Map([
  // Highly urbanised cities outside the capital
  ['30100000', '05400000'], // Angeles: Pampanga
  ['30200000', '04500000'], // Bacolod: Negros Occidental
  ['30300000', '01100000'], // Baguio: Benguet
  ['30400000', '00200000'], // Butuan: Agusan del Norte
  ['30500000', '04300000'], // Cagayan de Oro: Misamis Oriental
  ['30600000', '02200000'], // Cebu: Cebu
  ['30700000', '02400000'], // Davao: Davao del Sur
  ['30800000', '06300000'], // General Santos: South Cotabato
  ['30900000', '03500000'], // Iligan: Lanao del Norte
  ['31000000', '03000000'], // Iloilo: Iloilo
  ['31100000', '02200000'], // Lapu-Lapu: Cebu
  ['31200000', '05600000'], // Lucena: Quezon
  ['31300000', '02200000'], // Mandaue: Cebu
  ['31400000', '07100000'], // Olongapo: Zambales
  ['31500000', '05300000'], // Puerto Princesa: Palawan
  ['31600000', '03700000'], // Tacloban: Leyte
  ['31700000', '07300000'], // Zamboanga: Zamboanga del Sur
  // Independent component cities
  ['05518000', '05500000'], // Dagupan: Pangasinan
  ['03135000', '03100000'], // Santiago: Isabela
  ['01724000', '01700000'], // Naga: Camarines Sur
  ['03738000', '03700000'], // Ormoc: Leyte
  ['08703000', '08700000'], // Cotabato: Maguindanao del Norte
  [ISABELA_CITY, '00700000'], // Basilan (workbook, sheet `Notes`, A.2)
  // The Special Geographic Area: BARMM's 63 barangays inside Cotabato province (PSA Board Resolution 13, 2021)
  ['99901000', '04700000'],
  ['99902000', '04700000'],
  ['99903000', '04700000'],
  ['99904000', '04700000'],
  ['99905000', '04700000'],
  ['99906000', '04700000'],
  ['99907000', '04700000'],
  ['99908000', '04700000'],
]);

/** Whether this is the code of a highly urbanised city: `PPP` 301–399, or 801–816 in the capital (817 is Pateros). */
export function isHighlyUrbanised(code: string): boolean {
  const ppp = Number(code.slice(2, 5));
  return code.slice(5) === '00000' && ((ppp > 300 && ppp < 400) || (ppp > 800 && ppp < 817));
}
