/**
 * The guide for people who do not program, as Markdown. Bold words are names on the pages, exactly as they stand there, and
 * code is a heading that is understood.
 */
export const SPREADSHEET = {
  path: 'spreadsheet',
  name: 'From a spreadsheet to a map',
  guide: `Five steps, without a line of code. Words in bold are the names of buttons on the pages.

## 1. Open your list

Open [Make a map from a spreadsheet](/match). Press **Choose a file** for an Excel or CSV file, or drop it there. You can also paste
cells that you have copied, with their headings, and press **Use these cells**. **Try an example** shows how all of it goes. The file
stays in your browser: only what stands in the columns of places is sent, to find the codes.

## 2. Check the columns

Headings in English and Filipino are understood, in capital letters too. If a column is not recognised, choose it yourself.

| Column | Headings such as |
| --- | --- |
| Region | \`Region\`, \`Rehiyon\` |
| Province | \`Province\`, \`Lalawigan\`, \`Probinsya\` |
| City or municipality | \`City/Municipality\`, \`Municipality\`, \`City\`, \`Lungsod\`, \`Bayan\` |
| Barangay | \`Barangay\`, \`Brgy\` |
| Address, or all in one | \`Address\`, \`Location\`, \`Tirahan\` |
| PSGC code | \`PSGC\`, \`PSGC code\` |

Give the province as well wherever you can: many towns and barangays have the same name. Then press **Find the codes**. A list with
columns of latitude and longitude can do without places: **Make a map of the points** makes its map.

## 3. Decide the rows in doubt

Exact rows need nothing. **Accept all likely** takes the rows that were only spelled differently or name a place by another name; look
at some of them first. In the others press the place that is meant, **Another place …** to search for it, or **No code** to leave the
row out of the map. **Undo** takes back the latest decision. Equal rows are decided together.

## 4. Make the map

**Preview the map** shows it and stores nothing. **Make the map** stores it in your account, where only you see it until you share it.
**Download for Excel** and **Download CSV** save your list with the codes. Beside the map you choose the column that colours it.

## 5. Use the map

**Picture** lays the map out on an A4 page or a slide, with your title, notes and source, and saves it as **PNG** or **SVG**. **Embed**
gives a line of HTML that shows it on another site; a map of your own must be opened first, with **Make it readable by everyone**.
**Copy link** copies the address of the map as you see it.

## How to cite it

The sources stand below each map and on each picture: leave them there. In a text, name the Philippine Statistics Authority with the
edition of the codes, as in “Philippine Statistics Authority, Philippine Standard Geographic Code, 3Q 2026”, and where your own numbers
are from. [Sources and licences](/v1/sources) has the words for the boundaries, which are generalised and settle no dispute.

## What the limits are

| What | Without signing in | Signed in |
| --- | --- | --- |
| Rows of a list | 1,000 | 100,000 |
| Your map | a preview in one tab | stored, to share and to embed |
| Borders | simplified, down to cities and municipalities | detailed, down to barangays |
| Pictures, and maps of places on other sites | yes | yes |
`,
} as const;
