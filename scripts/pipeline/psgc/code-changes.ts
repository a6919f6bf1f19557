/**
 * A change that correspondence codes don't tell: a merger, a split, or a barangay that moved to another municipality.
 * Renumberings that they do tell (the EMBO barangays, the municipalities of Maguindanao, the Special Geographic Area)
 * follow from former-codes.ts.
 */
interface CodeChange {
  /** The ten-digit code that was given up. Its nine-digit form is derived. */
  from: string;
  to: string[];
  /** `renumbered`: the same area has another code. `abolished`: the area is gone, and `to` took its place. */
  change: 'renumbered' | 'abolished';
}

/** Barangays of one municity that were merged: the new last three digits → the old ones. */
function merged(municity: string, successors: Record<string, string>): CodeChange[] {
  return Object.entries(successors).flatMap(([successor, old]) =>
    old.split(' ').map((barangay): CodeChange => {
      return { from: municity + barangay, to: [municity + successor], change: 'abolished' };
    }),
  );
}

function renumbered(from: string, to: string): CodeChange {
  return { from, to: [to], change: 'renumbered' };
}

/**
 * Changes that keep a code in use are not listed: Muzon of San Jose del Monte (0301420007, split in 2023) is now Muzon
 * Proper, and municipalities that became cities keep their codes.
 */
export const CODE_CHANGES: readonly CodeChange[] = [
  // Maguindanao divided by RA 11550, plebiscite of 17 September 2022.
  { from: '1903800000', to: ['1908700000', '1908800000'], change: 'abolished' },

  // Caloocan: Barangay 176 split into 176-A to 176-F by RA 11993, plebiscite of 31 August 2024.
  {
    from: '1380100176',
    to: ['1380100189', '1380100190', '1380100191', '1380100192', '1380100193', '1380100194'],
    change: 'abolished',
  },

  // Bacoor: City Ordinance 275-2023 (workbook of 4Q 2023, sheet `Notes`, ac/ to at/).
  ...merged('0402103', {
    '076': '002 030 032', // Aniban 1
    '077': '029 031', // Aniban 2
    '078': '006 009', // Kaingin Digman
    '079': '010 035', // Ligas 1
    '080': '011 037 038', // Mabolo
    '081': '039 040', // Maliksi 2
    '082': '041 044', // Mambog 2
    '083': '015 051 052', // Niog
    '084': '053 054', // P.F. Espiritu 2
    '085': '056 057', // P.F. Espiritu 4
    '086': '005 023 033', // Poblacion
    '087': '019 060', // Real
    '088': '061 062 063', // Salinas 2
    '089': '001 003 022', // Sinbanali
    '090': '024 067 071', // Talaba 1
    '091': '068 069 070', // Talaba 3
    '092': '025 072', // Zapote 1
    '093': '073 074', // Zapote 2
  }),

  // Ormoc: Barangays 1 to 28 merged, plebiscite of 8 October 2022 (`Notes`, u/ to w/).
  ...merged('0803738', {
    '115': '022 023 028 030 038 041 048', // Barangay East
    '116': '021 024 025 027 029 032 036 040 042 043 044 045 046 047', // Barangay South
    '117': '026 031 033 034 035 037 039', // Barangay West
  }),

  // Rizal: from Burdeos to Panukulan, 1Q 2018 (`Notes`, b/ and c/).
  renumbered('0405606013', '0405631013'),

  // Guintolan: from Payao to Imelda, Supreme Court G.R. 243167 (2021); in the list between 4Q 2023 and 2Q 2025.
  renumbered('0908311008', '0908304019'),

  // Special Geographic Area: between its clusters of Pikit and Midsayap, between 4Q 2023 and 2Q 2025.
  renumbered('1999906008', '1999908010'), // Panicupan
  renumbered('1999907007', '1999908009'), // Macabual
  renumbered('1999908003', '1999904007'), // Dunguan
];
