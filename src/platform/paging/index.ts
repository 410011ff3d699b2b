// Lists page by page: each dialect of the wire has its fields of the query, its part of the statement and its view.
export { CursorPaging, cursorFields, cursorPaging, readCursorPage, type CursorPage } from './cursor.ts';
export { EndlessPaging, Paging } from './addresses.ts';
export { numberFields, skipOf } from './number.ts';
export { pivotField, pivotFields, pivotPaging, readPivotPage, type PivotPage } from './pivot.ts';
export { readPlace, type Place } from './places.ts';
export {
  CapitalPaging,
  capitalPaging,
  countedFields,
  countedPaging,
  pageOf,
  readSkipPage,
  skipFields,
  skipPaging,
  type Paged,
  type SkipPage,
} from './skip.ts';
export { PageToken, readToken, tokenFields, tokenPaging, tokensAround, type TokenList } from './token.ts';
