import { ATTRIBUTES, type Attribute, type AttributeName, VERSION_ATTRIBUTES } from '../attributes.ts';
import { NO_ROW } from './layout.ts';
import { NO_AREA, type OpenedAreas, PER_KM2 } from './opened.ts';

type Value = string | number | null;

/** The name of the geometry among the attributes: it has a value where there is a boundary. */
const GEOMETRY = 'geometry';

/** Gives the value that an attribute has in a row. Only what is rarely asked for makes the record of the row. */
export function attributeOf(opened: OpenedAreas, name: string): (row: number) => Value {
  if (name === GEOMETRY) return (row) => (opened.isDrawn(row) ? name : null);
  const codes = (parents: Uint16Array) => (row: number) => {
    const parent = parents[row] as number;
    return parent === NO_ROW ? null : opened.codeOf(parent);
  };
  const { words } = opened.facts;
  const word = (column: Uint8Array) => (row: number) => words[column[row] as number] ?? null;
  const attribute = name as AttributeName;
  switch (attribute) {
    case 'code':
      return (row) => opened.codeOf(row);
    case 'name':
      return (row) => opened.nameOf(row);
    case 'city_class':
      return word(opened.cityClasses);
    case 'income_class':
      return word(opened.incomeClasses);
    case 'sm_code':
      return codes(opened.submunicipalities);
    case 'm_code':
      return codes(opened.municities);
    case 'p_code':
      return codes(opened.provinces);
    case 'host_province_code':
      return codes(opened.hosts);
    case 'r_code':
      return codes(opened.regions);
    case 'population':
      return (row) => (opened.populations[row] === -1 ? null : (opened.populations[row] as number));
    case 'area_km2':
      return (row) => (opened.sizes[row] === NO_AREA ? null : (opened.sizes[row] as number) / PER_KM2);
    default: {
      const { of }: Attribute = { ...ATTRIBUTES, ...VERSION_ATTRIBUTES }[attribute];
      return (row) => of(opened.area(row, undefined));
    }
  }
}
