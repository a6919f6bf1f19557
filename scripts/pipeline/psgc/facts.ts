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

/** Whether this is the code of a highly urbanised city: `PPP` 301–399, or 801–816 in the capital (817 is Pateros). */
export function isHighlyUrbanised(code: string): boolean {
  const ppp = Number(code.slice(2, 5));
  return code.slice(5) === '00000' && ((ppp > 300 && ppp < 400) || (ppp > 800 && ppp < 817));
}
