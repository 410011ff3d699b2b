// What the addresses of the pages of templates remember.

interface ListSearch {
  /** Whose templates; without one, those of the account. */
  domain?: string;
}

interface TemplateSearch extends ListSearch {
  /** The tag of the version that is open; without one, the active version. */
  version?: string;
}

interface CompareSearch extends ListSearch {
  /** Tags of the versions that are held against each other. */
  a?: string;
  b?: string;
  client?: string;
}

const texts = (given: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === 'string' && value !== ''));

// What looks like a number in the address is read as one.
const textOf = (given: unknown): unknown => (typeof given === 'number' ? String(given) : given);

export function readListSearch({ domain }: Record<string, unknown>): ListSearch {
  return texts({ domain: textOf(domain) });
}

export function readTemplateSearch({ domain, version }: Record<string, unknown>): TemplateSearch {
  return texts({ domain: textOf(domain), version: textOf(version) });
}

export function readCompareSearch({ domain, a, b, client }: Record<string, unknown>): CompareSearch {
  return texts({ domain: textOf(domain), a: textOf(a), b: textOf(b), client });
}
