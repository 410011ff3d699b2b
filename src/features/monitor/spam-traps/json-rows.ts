// A feed in JSON as rows, whose first one names the columns.
import { invalid } from '../../../platform/errors/index.ts';

const COLUMNS_MAX = 100;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function cellOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Empty for an empty list. Throws `invalid_request` for what is no list of objects. */
export function rowsOfJson(text: string): string[][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw invalid('file', 'is no JSON.');
  }
  const list = isObject(value) ? [value['items'], value['hits'], value['data']].find(Array.isArray) : value;
  if (!Array.isArray(list) || !list.every(isObject))
    throw invalid('file', 'must be a list of objects, or an object whose items, hits or data is one.');
  if (list.length === 0) return [];
  const columns = [...new Set(list.flatMap((one) => Object.keys(one)))];
  if (columns.length > COLUMNS_MAX) throw invalid('file', `names more than ${COLUMNS_MAX} fields.`);
  return [columns, ...list.map((one) => columns.map((column) => cellOf(one[column])))];
}
