// What one account may have at once: generous, so that only what has run away meets them.

/** Name, default, and what it counts. */
export const QUOTAS = {
  screenshots: { max: 50_000, about: 'screenshots in processing' },
  inspections: { max: 5000, about: 'inspections in processing' },
  exports: { max: 100, about: 'exports in processing' },
  messages: { max: 20_000, about: 'messages of placement tests under way' },
  mailboxes: { max: 100, about: 'seed mailboxes' },
  lists: { max: 10_000, about: 'seed lists' },
  domains: { max: 1000, about: 'sending domains' },
  subaccounts: { max: 10_000, about: 'subaccounts' },
  keys: { max: 1000, about: 'API keys' },
  users: { max: 1000, about: 'users' },
  alerts: { max: 1000, about: 'alert settings' },
  watched: { max: 10_000, about: 'domains, IP addresses and email addresses watched on blocklists' },
  thresholds: { max: 1000, about: 'limits and alerts on sending' },
  pools: { max: 1000, about: 'IP pools' },
  credentials: { max: 1000, about: 'SMTP credentials' },
  suppressions: { max: 5_000_000, about: 'entries of suppression lists' },
  routes: { max: 1000, about: 'routes' },
  validationLists: { max: 1000, about: 'lists of addresses that are validated' },
  inboxes: { max: 50, about: 'sandbox inboxes' },
  templates: { max: 1000, about: 'templates' },
  mailingLists: { max: 1000, about: 'mailing lists' },
  listMembers: { max: 1_000_000, about: 'members of mailing lists' },
  schedules: { max: 500, about: 'schedules' },
  emails: { max: 10_000, about: 'emails' },
  emailVersions: { max: 50_000, about: 'versions of emails' },
  captureAgents: { max: 100, about: 'agents that capture' },
  captureRequests: { max: 500, about: 'requests for captures under way' },
  captures: { max: 10_000, about: 'captures of previews' },
  savedViews: { max: 2000, about: 'saved views' },
} as const;

export type Quota = keyof typeof QUOTAS;
export type Quotas = Readonly<Record<Quota, number>>;

const entriesOf = (text: string): string[][] =>
  text.split(',').map((entry) => entry.split('=').map((part) => part.trim()));

/** What is wrong with `mailboxes=20,keys=50`, or undefined. */
export function quotasFault(text: string): string | undefined {
  const isGood = entriesOf(text).every(
    ([name = '', max = '', ...rest]) => Object.hasOwn(QUOTAS, name) && /^[1-9]\d{0,8}$/.test(max) && rest.length === 0,
  );
  return isGood ? undefined : `give name=number, joined by commas; the names are ${Object.keys(QUOTAS).join(', ')}.`;
}

/** The defaults, with what is given in their place. */
export function readQuotas(text: string): Quotas {
  const defaults = Object.entries(QUOTAS).map(([name, { max }]) => [name, max] as const);
  return Object.fromEntries([
    ...defaults,
    ...(text === '' ? [] : entriesOf(text).map(([name, max]) => [name, Number(max)] as const)),
  ]) as Record<Quota, number>;
}
