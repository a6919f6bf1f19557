/** What one thing is drawn with. */
export interface Tone {
  /** On a light map, and on paper. */
  readonly color: string;
  /** On a dark map. */
  readonly dark: string;
}

/** Colours of the map. */
export interface Palette {
  readonly isDark: boolean;
  readonly sea: string;
  readonly shallows: string;
  readonly grid: string;
  /** Land outside of the chosen place. */
  readonly land: string;
  readonly landEdge: string;
  /** Fills of regions and of the areas in them. Regions that touch have different ones. */
  readonly tints: readonly [string, string, string, string, string, string];
  readonly edge: string;
  readonly hover: string;
  readonly chosen: string;
  /** Areas of a dataset that have no colours. */
  readonly area: string;
  /** Between areas with classes, neither the palest nor the darkest of which may sink into the map. */
  readonly classEdge: string;
  readonly chosenHalo: string;
  readonly label: string;
  readonly faintLabel: string;
  readonly halo: string;
}

const LIGHT: Palette = {
  isDark: false,
  sea: '#e9f0f3',
  shallows: '#f5f9f9',
  grid: '#d3dfe4',
  land: '#d8d3c6',
  landEdge: '#a89f8d',
  tints: ['#dfbe75', '#b3ca92', '#e4b99e', '#ccc571', '#aac9bf', '#d3bccf'],
  edge: '#7d7362',
  hover: '#fff6d6',
  chosen: '#a8321f',
  area: '#6fa39d',
  classEdge: '#98a1a6',
  chosenHalo: '#fffaf0',
  label: '#2e2a22',
  faintLabel: '#857c6b',
  halo: '#fffdf6',
};

const DARK: Palette = {
  isDark: true,
  sea: '#0e1a20',
  shallows: '#16262d',
  grid: '#1d2f37',
  land: '#303f48',
  landEdge: '#5b6a71',
  tints: ['#7a6842', '#5a714d', '#89614f', '#6e6c45', '#4a716e', '#76657c'],
  edge: '#b3aa96',
  hover: '#b9a56c',
  chosen: '#ff9b7d',
  area: '#3f7f79',
  classEdge: '#7f878b',
  chosenHalo: '#1a0f0b',
  label: '#f1ece0',
  faintLabel: '#93a0a3',
  halo: '#10181c',
};

export function paletteFor(dark: boolean): Palette {
  return dark ? DARK : LIGHT;
}

/** Land below the colours of a legend. On a dark map it lies between the sea and the middle ones of these, which are grey. */
export const GREY: Tone = { color: '#d4d1c6', dark: '#332e28' };

/** The palette with land in one grey, on which the colours of a legend are alone. */
export function greyOf(palette: Palette): Palette {
  const { isDark, classEdge } = palette;
  const land = isDark ? GREY.dark : GREY.color;
  const sea = isDark ? '#070a0b' : '#f7f8f8';
  return {
    ...palette,
    sea,
    shallows: sea,
    land,
    // On a dark map an outline parts the land from the sea.
    ...(isDark && { edge: classEdge, landEdge: classEdge }),
    grid: isDark ? '#121619' : '#eceeee',
    tints: [land, land, land, land, land, land],
  };
}
