/**
 * The PSGC code of each polygon in Natural Earth's admin-1 layer, by its ISO 3166-2 code. Several polygons can make up
 * one province, because the layer draws some of the cities that it hosts apart. Where the code is a region's, the
 * polygons belong to the region only: they are those of two provinces of today, or of cities and a municipality outside
 * any province.
 */
export const PLACES: Readonly<Record<string, string>> = {
  'PH-ABR': '1400100000',
  'PH-AGN': '1600200000',
  'PH-AGS': '1600300000',
  'PH-AKL': '0600400000',
  'PH-ALB': '0500500000',
  'PH-ANT': '0600600000',
  'PH-APA': '1408100000',
  'PH-AUR': '0307700000',
  'PH-BAN': '0300800000',
  'PH-BAS': '1900700000',
  // The City of Bacolod.
  'PH-BCD': '1804500000',
  'PH-BEN': '1401100000',
  'PH-BIL': '0807800000',
  'PH-BOH': '0701200000',
  'PH-BTG': '0401000000',
  'PH-BTN': '0200900000',
  'PH-BUK': '1001300000',
  'PH-BUL': '0301400000',
  'PH-CAG': '0201500000',
  'PH-CAM': '1001800000',
  'PH-CAN': '0501600000',
  'PH-CAP': '0601900000',
  'PH-CAS': '0501700000',
  'PH-CAT': '0502000000',
  'PH-CAV': '0402100000',
  'PH-CEB': '0702200000',
  // Compostela Valley, now Davao de Oro.
  'PH-COM': '1108200000',
  'PH-DAO': '1102500000',
  // Davao del Sur before Davao Occidental was separated from it in 2013.
  'PH-DAS': '1100000000',
  'PH-DAV': '1102300000',
  'PH-EAS': '0802600000',
  'PH-GUI': '0607900000',
  'PH-IFU': '1402700000',
  'PH-ILI': '0603000000',
  'PH-ILN': '0102800000',
  'PH-ILS': '0102900000',
  'PH-ISA': '0203100000',
  'PH-KAL': '1403200000',
  'PH-LAG': '0403400000',
  'PH-LAN': '1003500000',
  // The City of Lapu-Lapu.
  'PH-LAP': '0702200000',
  'PH-LAS': '1903600000',
  'PH-LEY': '0803700000',
  'PH-LUN': '0103300000',
  'PH-MAD': '1704000000',
  // Maguindanao before it was divided in two in 2022.
  'PH-MAG': '1900000000',
  'PH-MAS': '0504100000',
  'PH-MDC': '1705100000',
  // The City of Mandaue.
  'PH-MDE': '0702200000',
  'PH-MDR': '1705200000',
  // Metro Manila, by cities.
  'PH-MNL': '1300000000',
  'PH-MOU': '1404400000',
  'PH-MSC': '1004200000',
  'PH-MSR': '1004300000',
  'PH-NCO': '1204700000',
  'PH-NEC': '1804500000',
  'PH-NER': '1804600000',
  'PH-NSA': '0804800000',
  'PH-NUE': '0304900000',
  'PH-NUV': '0205000000',
  'PH-PAM': '0305400000',
  'PH-PAN': '0105500000',
  'PH-PLW': '1705300000',
  'PH-QUE': '0405600000',
  'PH-QUI': '0205700000',
  'PH-RIZ': '0405800000',
  'PH-ROM': '1705900000',
  'PH-SAR': '1208000000',
  'PH-SCO': '1206300000',
  'PH-SIG': '1806100000',
  'PH-SLE': '0806400000',
  'PH-SLU': '1906600000',
  'PH-SOR': '0506200000',
  'PH-SUK': '1206500000',
  // Surigao del Norte before the Dinagat Islands were separated from it in 2006.
  'PH-SUN': '1600000000',
  'PH-SUR': '1606800000',
  'PH-TAR': '0306900000',
  'PH-TAW': '1907000000',
  'PH-WSA': '0806000000',
  'PH-ZAN': '0907200000',
  'PH-ZAS': '0907300000',
  'PH-ZMB': '0307100000',
  'PH-ZSI': '0908300000',
};

/** Cities whose ISO code is that of a province which doesn't host them, by Natural Earth's `adm1_code`. */
export const CITIES: Readonly<Record<string, string>> = {
  // Davao, hosted by Davao del Sur.
  'PHL-5528': '1100000000',
  // Zamboanga, hosted by Zamboanga del Sur.
  'PHL-4932': '0907300000',
  // Cotabato, hosted by Maguindanao del Norte.
  'PHL-5527': '1900000000',
};
