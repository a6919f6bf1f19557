/** Fonts of the system. MapLibre takes the weight of the text from the name before them. */
const FONTS = ['system-ui', 'Segoe UI', 'Roboto', 'Liberation Sans', 'sans-serif'];

export const PLAIN = ['Label Medium', ...FONTS];
export const STRONG = ['Label Semibold', ...FONTS];
