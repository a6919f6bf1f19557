import type { Release } from './area.ts';
import { type Cell, digits, text } from './cells.ts';
import type { Problem, RegionSummary } from './publication.ts';

/**
 * Reads the sheet `Nat'l Sum`. Its columns: code, (nothing), region, provinces, cities, municipalities, barangays. Empty
 * where one of them is missing.
 */
export function readSummary(rows: Cell[][]): RegionSummary[] {
  const header = rows.find((cells) => /^code$|psgc/i.test(text(cells[0])))?.map((cell) => text(cell).toUpperCase());
  if (!header) return [];
  const found = ['PROV', 'CIT', 'MUN', 'B'].map((start) => header.findIndex((it) => it.startsWith(start)));
  if (found.includes(-1)) return [];
  return rows.flatMap((cells) => {
    const region = digits(cells[0], 10);
    if (!/^\d\d0{8}$/.test(region)) return [];
    const [provinces = 0, cities = 0, municipalities = 0, barangays = 0] = found.map((column) =>
      Number(text(cells[column]).replace(/^-$/, '0').replaceAll(',', '')),
    );
    return [{ region, provinces, cities, municipalities, barangays }];
  });
}

/** The areas of each region must be as many as the publication's own summary says. */
export function checkSummary({ areas, summary: lines }: Release): Problem[] {
  const problems: Problem[] = [];
  const regions = new Set(areas.filter((area) => area.level === 'region').map((area) => area.code));
  for (const line of lines) {
    if (!regions.delete(line.region)) {
      problems.push({ at: line.region, what: 'is a region in the summary of the publication but not in its list' });
      continue;
    }
    const within = areas.filter((area) => area.regionCode === line.region);
    const ofType = (type: string) => within.filter((area) => area.type === type).length;
    // Some summaries count Special Government Units among the municipalities, and some leave them out (4Q 2023).
    const [municipalities, units] = [ofType('Municipality'), ofType('SGU')];
    const found = {
      provinces: within.filter((area) => area.level === 'province').length,
      cities: ofType('City'),
      municipalities: line.municipalities === municipalities + units ? municipalities + units : municipalities,
      barangays: within.filter((area) => area.level === 'barangay').length,
    };
    for (const [what, number] of Object.entries(found)) {
      const published = line[what as keyof typeof found];
      if (published === number) continue;
      problems.push({
        at: line.region,
        what: `${number} ${what} in the list, ${published} in the publication's summary`,
      });
    }
  }
  if (lines.length === 0) return [];
  for (const region of regions) problems.push({ at: region, what: 'is a region in the list but not in its summary' });
  return problems;
}
