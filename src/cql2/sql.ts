import { type SQL, sql } from 'drizzle-orm';
import type { Geometry } from '../geojson/geometry.ts';
import { type Expression, literalType, type Property, type Scalar, type ScalarType } from './expression.ts';
import { INSTANT } from './instant.ts';

/** A table in the database. What these return is SQL of the repository: names of a caller have no part in it. */
export interface SqlColumns {
  /** A property as text, number or boolean. NULL where the value of a free property is of another type. */
  valueOf(name: string, type: ScalarType): SQL;
  /** The condition that a property is NULL. */
  isNull(name: string): SQL;
  /** The condition that the geometry shares a point with one of longitudes and latitudes. */
  intersects(geometry: Geometry): SQL;
}

/** The condition that rows pass a filter. Each value of the filter is a parameter. */
export function conditionOf(expression: Expression, columns: SqlColumns): SQL {
  if (typeof expression === 'boolean') return sql`${expression}::boolean`;
  if ('type' in expression) return propertyOf(expression, columns);
  const scalar = (one: Scalar) => scalarOf(one, columns);
  switch (expression.op) {
    case 'and':
    case 'or': {
      const conditions = expression.args.map((arg) => conditionOf(arg, columns));
      return sql`(${sql.join(conditions, expression.op === 'and' ? sql` and ` : sql` or `)})`;
    }
    case 'not':
      return sql`(not ${conditionOf(expression.args[0], columns)})`;
    case 'like': {
      const [value, pattern] = expression.args;
      return sql`(${scalar(value)} like ${scalar(pattern)})`;
    }
    case 'between': {
      const [value, low, high] = expression.args.map((arg) => ordered(arg, columns)) as [SQL, SQL, SQL];
      return sql`(${value} between ${low} and ${high})`;
    }
    case 'in': {
      const [value, items] = expression.args;
      return sql`(${scalar(value)} in (${sql.join(items.map(scalar), sql`, `)}))`;
    }
    case 'isNull':
      return sql`(${columns.isNull(expression.property)})`;
    case 's_intersects':
      return columns.intersects(expression.geometry);
    case '=':
    case '<>': {
      const [left, right] = expression.args;
      return sql`(${scalar(left)} ${SIGNS[expression.op]} ${scalar(right)})`;
    }
    default: {
      const [left, right] = expression.args;
      return sql`(${ordered(left, columns)} ${SIGNS[expression.op]} ${ordered(right, columns)})`;
    }
  }
}

const SIGNS = { '=': sql`=`, '<>': sql`<>`, '<': sql`<`, '>': sql`>`, '<=': sql`<=`, '>=': sql`>=` };

/** A scalar whose order counts: texts are ordered by code points. */
function ordered(scalar: Scalar, columns: SqlColumns): SQL {
  return typeOf(scalar) === 'string' ? sql`(${scalarOf(scalar, columns)} collate "C")` : scalarOf(scalar, columns);
}

function typeOf(scalar: Scalar): Property['type'] {
  if (typeof scalar !== 'object') return literalType(scalar);
  return 'op' in scalar ? 'string' : scalar.type;
}

function scalarOf(scalar: Scalar, columns: SqlColumns): SQL {
  if (typeof scalar === 'string') return sql`${scalar}::text`;
  if (typeof scalar === 'number' || typeof scalar === 'bigint') return sql`${String(scalar)}::numeric`;
  if (typeof scalar === 'boolean') return sql`${scalar}::boolean`;
  if (!('op' in scalar)) return propertyOf(scalar, columns);
  const text = scalarOf(scalar.args[0], columns);
  if (scalar.op === 'casei') return sql`(lower(${text} collate "und-x-icu") collate "C")`;
  const marks = sql`regexp_replace(normalize(${text}, nfd), '[\\u0300-\\u036f]', '', 'g')`;
  return sql`normalize(${marks}, nfc)`;
}

function propertyOf({ property, type }: Property, columns: SqlColumns): SQL {
  if (type !== 'instant') return columns.valueOf(property, type);
  // The offset keeps the planner from reading the text anew for each use of it. PostgreSQL would round what is less than a
  // microsecond, and JavaScript cuts it. No month lacks its first day, so that the cast refuses no text of this form: the 30th
  // of February is a day of March.
  return sql`(select case when t ~ ${INSTANT.source} then floor(1000 * extract(epoch from (
    left(t, 8) || '01' || case when length(t) = 10 then 'T00:00:00' when length(t) > 26
      then regexp_replace(substr(t, 11), '([.][0-9]{3})[0-9]+', '\\1') else substr(t, 11) end ||
    case when t ~ '(Z|[+-][0-9]{2}:[0-9]{2})$' then '' else 'Z' end)::timestamptz))
    + 86400000 * (substr(t, 9, 2)::numeric - 1) end from (select ${columns.valueOf(property, 'string')} as t offset 0) texts)`;
}
