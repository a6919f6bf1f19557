import { beforeAll, describe, expect, it } from 'vitest';
import type { NameIndex } from '../../../src/names/index.ts';
import { type MatchInput, matchRow } from '../../../src/names/match.ts';
import { namedCountry } from './country.ts';

let index: NameIndex;
beforeAll(async () => {
  ({ index } = await namedCountry());
});

describe('a row in which something speaks against the rest', () => {
  it.each<[MatchInput, string, RegExp]>([
    // A code within what the names say.
    [{ text: '0804803005 Bobon, Northern Samar' }, '0804803005', /text "0804803005" is the code of E\. Duran\./],
    [{ text: '072217041 Cebu City' }, '0730600041', /is the code of Lahug/],
    [{ text: '72217041 Cebu City' }, '0730600041', /is the code of Lahug/],
    // The last name may be that of a province, or twice that of a town there.
    [{ text: 'Baliuag, Bulacan, Bulacan' }, '0301403000', /"Bulacan" is named twice/],
    [{ text: 'Carigara, Leyte, Leyte' }, '0803715000', /"Leyte" is named twice/],
    [{ text: 'Opon, Cebu, Cebu' }, '0731100000', /"Cebu" is named twice/],
    [{ text: 'Santa Cruz, Metro Manila' }, '1380605000', /There is a barangay "Santa Cruz" too/],
    [{ text: 'San Miguel, NCR' }, '1380607000', /There is a barangay "San Miguel" too/],
    [{ barangay: 'Lahug?', municity: 'Cebu City' }, '0730600041', /barangay has "\?"/],
    [{ barangay: 'Lahug', municity: 'Cebu City (?)' }, '0730600041', /municity has "\?"/],
    [{ text: 'Barangay 5+, San Policarpo, Eastern Samar' }, '0802621014', /text has "5\+"/],
    [{ barangay: 'Barangay 62 -', municity: 'Cavite City' }, '0402105059', /barangay has "2 -"/],
    [{ text: 'Barangay 51-, City of Tacloban' }, '0831600080', /text has "1-/],
    [{ text: 'Province of Davao City' }, '1130700000', /words for two types/],
    [{ municity: 'City of Carcar Region', province: 'Cebu' }, '0702214000', /words for two types/],
    [{ text: 'Davao City Region' }, '1100000000', /words for two types/],
    [{ text: 'Capiz, Capiz' }, '0601900000', /"Capiz" is named twice/],
    // The name of the town may be that of a second barangay.
    [{ text: 'Princess Urduja/Narra, Narra, Palawan' }, '1705315016', /"Narra" is named twice/],
    [{ text: 'Delabayan West/Poblacion Bacolod, Bacolod, Lanao del Norte' }, '1003501020', /"Bacolod" is named twice/],
    [{ barangay: 'Danawan - Poblacion', municity: 'Surigao City' }, '1606724020', /poblacion was passed over/],
    [{ text: 'City of Cebu Province' }, '0730600000', /words for two types/],
    [{ text: 'Brgy. 147, San Nicolas, Manila' }, '1380601147', /"San Nicolas" was passed over/],
    [{ barangay: 'Purok 3, San Isidro', municity: 'Cainta' }, '0405805015', /"Purok 3" was passed over/],
    [{ barangay: 'San Isidro Sitio 4', municity: 'Cainta' }, '0405805015', /"Sitio 4" was passed over/],
    [
      { barangay: 'Block 2, Purok 3, San Isidro', municity: 'Cainta' },
      '0405805015',
      /"Block 2, Purok 3" was passed over/,
    ],
  ])('is likely for %j, with a note', (row, code, note) => {
    const result = matchRow(index, row);
    expect(result).toMatchObject({ match: 'likely', code });
    expect(result.notes.join(' ')).toMatch(note);
  });

  it.each<[MatchInput, readonly string[]]>([
    [{ text: '84803005 Salvacion, Bobon' }, ['0804803014', '0804803005']],
    [{ barangay: 'Datag (0102812006)', municity: 'Inabanga' }, ['0701224020', '0102812006']],
    [{ barangay: '0730600041 Mabolo', municity: 'Cebu City' }, ['0730600046', '0730600041']],
    [{ barangay: 'not Lahug', municity: 'Cebu City' }, ['0730600041']],
    [{ barangay: 'new Lahug', municity: 'Cebu City' }, ['0730600041']],
    // Several barangays of a town, and a second town, in one cell.
    [{ barangay: 'E. Duran + Salvacion', municity: 'Bobon', province: 'Northern Samar' }, ['0804803005', '0804803014']],
    [
      { barangay: 'South Signal Village-East Rembo', municity: 'Taguig City', province: 'Metro Manila' },
      ['1381500028', '1381500031'],
    ],
    [
      { barangay: 'Poblacion Sur/Calangcuasan', municity: 'Salcedo', province: 'Ilocos Sur' },
      ['0102916018', '0102916002'],
    ],
    [{ text: 'Brgys 1 and 2, Tacloban City' }, ['0831600000']],
    [{ barangay: 'Poblacion, Valenzuela', municity: 'Puerto Galera', province: 'Oriental Mindoro' }, ['1705211000']],
    // A misspelled barangay is no town that is less like it.
    [{ text: 'Catalian, Samar' }, ['0806009008', '0806005000']],
    [{ text: 'Naguirnagan, La Union' }, ['0103316026', '0103311000']],
    [{ text: 'San Joee, Southern Leyte' }, ['0806414009', '0806414000']],
    // The province is wrong, and has the name of a town.
    [{ text: 'Recodo, Cawayan, Quezon' }, ['0504106000', '1001317007']],
    [{ text: 'Lipa, Quezon' }, ['1001317013', '0401014000']],
    [{ text: 'Tuguegarao, Isabela' }, ['0203112061', '0201529000']],
    [{ text: 'Roxas City, Isabela' }, ['0203126000', '0601914000']],
    [{ municity: 'Panay City' }, ['0601909000', '1381100000']],
    [{ text: 'Candon, Negros Occidental' }, ['0102906000', '1804506000']],
    // Another town of the region, or of the country, was called so.
    [{ municity: 'San Isidro', region: 'Region XI' }, ['1102510000', '1102324000']],
    [{ text: 'San Isidro, Region XI' }, ['1102510000', '1102324000']],
    [{ municity: 'Rizal', region: 'MIMAROPA Region' }, ['1705108000', '1705323000']],
    [{ municity: 'Dao' }, ['0601902000', '0600607000']],
    [{ barangay: 'San Miguel', municity: 'San Isidro', region: 'Davao Region' }, ['1102510013', '1102324011']],
    // A place that is called as a barangay may lie in another one.
    [{ barangay: 'Sitio Malisbong, Poblacion', municity: 'Palimbang' }, ['1206509026']],
    [{ barangay: 'Pili St.', municity: 'Boac' }, ['1704001043']],
    [{ barangay: 'Pili NHS', municity: 'Boac' }, ['1704001043']],
    [{ barangay: 'Pili-A', municity: 'Boac' }, ['1704001043']],
    [{ barangay: 'Burol l', municity: 'Dasmariñas' }, ['0402106003']],
    [{ text: 'Forbes Park Village, Makati' }, ['1380300008']],
    [{ barangay: 'San Isidro', municity: 'Cebu' }, ['0730600000']],
    // Towns whose names the cell cut off.
    [{ barangay: 'San Isidro', municity: 'Palom', province: 'Leyte' }, ['0803740036', '0803739028']],
    [{ barangay: 'Poblacion', municity: 'Santa', province: 'Cebu' }, ['0702244008', '0702245008']],
    [{ barangay: 'Macalag', municity: 'Datu ', province: 'Maguindanao del Sur' }, ['1908810003', '1908805005']],
    [{ barangay: 'Barangay', municity: 'Manila' }, ['1380600000']],
    // What stands beside the name of several areas decides nothing.
    [{ text: 'Surigao, Philippines' }, ['1606724000', '1606700000', '1606800000']],
    [{ text: 'Surigao, Caraga' }, ['1606724000', '1606700000', '1606800000']],
    [{ text: 'ZAMBOANGA 0000' }, ['0931700000', '0907300000']],
    [{ text: 'Davao, Region XI' }, ['1130700000', '1100000000']],
    [{ text: 'Madrid 28013' }, ['1606813000']],
    [{ text: 'Panay, Western Visayas' }, ['0601909000']],
    // The poblacion beside another barangay.
    [{ text: 'Delabayan West, Poblacion, Bacolod, Lanao del Norte' }, ['1003501020']],
    [{ text: 'Brgy. Poblacion, Bawa, Gerona, Tarlac' }, ['0306906006', '0306906029']],
    [{ barangay: 'Bawa/Poblacion', municity: 'Gerona', province: 'Tarlac' }, ['0306906006', '0306906029']],
    // Two provinces, or two towns, in one cell.
    [{ province: 'Cotabato (Maguindanao)' }, ['1204700000', '1908700000']],
    [{ province: 'Cebu - Camarines Sur' }, ['0702200000', '0501700000']],
    [{ municity: 'Jasaan / Kinoguitan', province: 'Misamis Oriental' }, ['1004312000']],
    [{ municity: 'Ermita-Malate', province: 'Manila' }, ['1380608000', '1380610000']],
    // A word more than the name of a barangay, and letters for digits.
    [{ barangay: 'Soong 2', municity: 'City of Digos', province: 'Davao del Sur' }, ['1102403029', '1102403025']],
    [{ barangay: 'San Antonio Ilaya', municity: 'Lopez', province: 'Quezon' }, ['0405622079', '0405622063']],
    [{ barangay: 'Centro l2', municity: 'Aparri', province: 'Cagayan' }, ['0201505006']],
    [{ barangay: 'San Roque (Banca-banca)', municity: 'Victoria', province: 'Laguna' }, ['0403430010', '0403430001']],
    // A region in which a town once lay, beside the name of others.
    [{ municity: 'Sultan Kudarat', region: 'Region XII' }, ['1908710000', '1206500000']],
    [{ municity: 'Cotabato', region: 'SOCCSKSARGEN' }, ['1908703000', '1204700000']],
    [{ municity: 'Quezon', region: 'Region VI' }, ['1705317000']],
    [{ municity: 'Parang', region: 'BARMM' }, ['1908709000', '0906609000']],
    [{ municity: 'Parang', region: 'ARMM' }, ['1908709000', '0906609000']],
    [{ barangay: 'Poblacion', municity: 'Parang', region: 'BARMM' }, ['1908709020']],
    [{ municity: 'Valencia', region: 'Region VII' }, ['0701247000', '1804623000']],
    [{ municity: 'Pontevedra', region: '06' }, ['0601912000', '1804521000']],
    [{ municity: 'Cagayan', region: 'Region X' }, ['0201500000']],
    // A barangay in the column of towns, and provinces in each other's columns.
    [{ municity: 'San Roque', province: 'Southern Leyte' }, ['0804820000']],
    [{ municity: 'Polot-an', province: 'Iloilo' }, ['0603037000']],
    [{ barangay: 'Barangay 3', municity: 'Batangas', province: 'Calatagan' }, ['0401005072']],
    // A town of a province whose name has that of another one in it.
    [{ text: 'Liloan, Leyte' }, ['0803738059']],
    [{ text: 'Arteche, Samar' }, ['0806023002']],
    // The rest of the names of provinces is no slip of a town's.
    [{ barangay: 'Poblacion 4', municity: 'Agusan' }, []],
    [{ barangay: 'San Jose', municity: 'Negros' }, []],
    [{ barangay: 'BONIFACIO (POB.)', region: 'Region I' }, ['0803746015']],
  ])('leaves the choice for %j', (row, codes) => {
    const result = matchRow(index, row);
    expect(result.match).toBe('ambiguous');
    expect(result.candidates.map(({ code }) => code)).toEqual(expect.arrayContaining([...codes]));
  });

  it('says how many more there are, where it shows six of many that are as good as each other', () => {
    const of = (province: string) => matchRow(index, { municity: 'San Roque', province });
    expect(of('Bohol').candidates).toHaveLength(8);
    const { candidates, notes } = of('Camarines Sur');
    expect([candidates.length, notes]).toEqual([6, ['10 more are as like it.']]);
  });

  it.each<[MatchInput, string, 'exact' | 'likely']>([
    [{ municity: 'Para?aque', province: 'NCR' }, '1381000000', 'exact'],
    [{ municity: 'City of Mandaluyong', province: 'NCR, Second District (Not a Province)' }, '1380500000', 'likely'],
    [{ province: 'DAVAO (DAVAO DEL NORTE)' }, '1102300000', 'likely'],
    [{ province: 'Bicol (Albay)' }, '0500500000', 'likely'],
    [{ municity: 'Ipil', province: 'Bohol' }, '0701244000', 'exact'],
    [{ municity: 'Kidapawan', province: 'Cotabato (Maguindanao)' }, '1204704000', 'likely'],
    [{ text: 'Mexico, Philippines' }, '0305413000', 'exact'],
    [{ text: 'Mexico, PHL' }, '0305413000', 'exact'],
    [{ municity: 'Kabankalan', region: 'Region VI' }, '1804515000', 'exact'],
    [{ municity: 'Cotabato City', region: 'ARMM' }, '1908703000', 'exact'],
    [{ municity: 'San Roque', province: 'Palimbang' }, '1206509032', 'likely'],
    [{ municity: 'Datu Montawal', province: 'Maguindanao' }, '1908815000', 'exact'],
    [{ text: 'Surigao City, Caraga' }, '1606724000', 'exact'],
    [{ text: 'Panay, Capiz' }, '0601909000', 'exact'],
    [{ barangay: 'General Luna, Lower', municity: 'Baguio City' }, '1430300039', 'exact'],
    [{ barangay: 'Barangay 5-A', municity: 'Tacloban City' }, '0831600137', 'exact'],
    [{ text: 'Naguilan, La Union' }, '0103311000', 'likely'],
    [{ text: 'Santa Ines, Plardel, Bulacan' }, '0301417018', 'likely'],
    [{ text: 'Ermita, Metro Manila' }, '1380608000', 'exact'],
    // Two types of two places.
    [{ text: 'City of Carcar, Central Visayas Region' }, '0702214000', 'exact'],
    [{ municity: 'San Isidro', province: 'Davao Oriental' }, '1102510000', 'exact'],
    [{ municity: 'Dao', province: 'Capiz' }, '0601902000', 'exact'],
    [{ text: 'Sampaloc 4, Manila' }, '1380606000', 'likely'],
    [{ text: 'Tondo II, Manila' }, '1380601000', 'likely'],
    // It may be Santo Rosario as well as Santor.
    [{ barangay: 'Sto. R.', municity: 'Malolos' }, '0301410051', 'likely'],
    // Cells in the columns beside their own.
    [{ municity: 'Sibulan', province: 'City of Davao', region: 'Davao del Sur' }, '1130700102', 'likely'],
  ])('decides for %j all the same', (row, code, how) => {
    expect(matchRow(index, row)).toMatchObject({ code, match: how });
  });
});
