/** The properties that tell the area of a feature, besides those of the columns of its row. */
export const PLACE_PROPERTIES = ['psgc_code', 'psgc_level', 'psgc_name', 'psgc_match'] as const;
