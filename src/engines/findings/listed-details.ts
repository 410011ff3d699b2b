/** Characters of details of one test in a list, as JSON: a page can hold a thousand tests. */
const LENGTH_MAX = 8_000;

/** For the findings of one test, one after the other: their details, until they come to too much for a list. */
export function listedDetails(): <Details>(details: Details) => { details?: Details } {
  let left = LENGTH_MAX;
  return (details) => {
    left -= JSON.stringify(details).length;
    return left >= 0 ? { details } : {};
  };
}

/** A finding of a list, on the wire: `details` is always there; beyond the bound it is empty, which a field says. */
export function shownInList<Kept extends { details?: Record<string, unknown>[] }>({
  details,
  ...finding
}: Kept): Omit<Kept, 'details'> & { details: Record<string, unknown>[]; details_left_out?: true } {
  return details ? { ...finding, details } : { ...finding, details: [], details_left_out: true };
}
