// What the addresses of the pages of emails remember.

const SORTS = ['updated', 'created', 'name'] as const;
export const TABS = [
  'overview',
  'previews',
  'findings',
  'code',
  'links',
  'images',
  'accessibility',
  'spam',
  'placement',
  'gate',
  'review',
  'compare',
] as const;
export type Tab = (typeof TABS)[number];

export interface EmailsSearch {
  q?: string;
  folder?: string;
  tag?: string;
  sort?: (typeof SORTS)[number];
  page?: number;
}

interface EmailSearch {
  tab?: Tab;
  version?: number;
  /** The version that it is compared with. */
  from?: number;
}

// What looks like a number in the address is read as one.
const textOf = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : typeof value === 'string' && value !== '' ? value : undefined;
const numberOf = (value: unknown, min: number): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= min ? value : undefined;

const given = <Fields extends object>(fields: { [Name in keyof Fields]: Fields[Name] | undefined }): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

export function readEmailsSearch({ q, folder, tag, sort, page }: Record<string, unknown>): EmailsSearch {
  return given<EmailsSearch>({
    q: textOf(q),
    folder: textOf(folder),
    tag: textOf(tag),
    sort: SORTS.find((one) => one === sort && one !== 'updated'),
    page: numberOf(page, 2),
  });
}

export function readEmailSearch({ tab, version, from }: Record<string, unknown>): EmailSearch {
  return given<EmailSearch>({
    tab: TABS.find((one) => one === tab && one !== 'overview'),
    version: numberOf(version, 1),
    from: numberOf(from, 1),
  });
}

/** For which email the new version is. */
export function readNewSearch({ email }: Record<string, unknown>): { email?: string } {
  return given<{ email?: string }>({ email: textOf(email) });
}
