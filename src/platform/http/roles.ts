// What each role may do: one table of groups of endpoints, which the gatekeeper enforces and `docs/roles.md` shows.
import type { Contract } from './contract.ts';

/** The roles of keys; the first may do the most. */
export const ROLES = ['admin', 'developer', 'support', 'basic', 'sending'] as const;
export type Role = (typeof ROLES)[number];

/** One sentence, for the documents. */
export const ROLES_ABOUT =
  '`admin` may do everything; `developer` all but create keys, credentials and limits; `support` may read, and write ' +
  'suppressions; `basic` may read figures and settings, no emails of tests, suppressions or keys; `sending` may send ' +
  'messages, of `domain_name` only where that is set.';

/** `figures`: only endpoints that answer with figures about tests, not with what is in an email. */
type Level = 'none' | 'figures' | 'read' | 'write';

interface Rights extends Readonly<Record<'developer' | 'support' | 'basic', Level>> {
  /** What the endpoints are about, for people. */
  about: string;
  /** The row of the published table that says so; without it, it was decided here. */
  published?: string;
  /** Why it was decided so. */
  why?: string;
}

/** Where the published rows stand. */
export const RIGHTS_SOURCE = {
  name: 'API Management and Security, “RBAC API Key Permissions by Role”',
  url: 'https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/rbac-mgmt',
  readOn: '2026-11-23',
} as const;

const TECHNICAL = { developer: 'write', support: 'read', basic: 'read' } as const;

/** Groups of endpoints. `admin` may read and write all of them. */
export const RIGHTS = {
  domains: { about: 'sending domains', published: 'Domains', ...TECHNICAL },
  messages: { about: 'messages', published: 'Messages', ...TECHNICAL },
  webhooks: { about: 'webhooks', published: 'Webhooks', ...TECHNICAL },
  logs: { about: 'events and logs', published: 'Logs', ...TECHNICAL },
  tags: { about: 'tags', published: 'Tags', ...TECHNICAL },
  metrics: { about: 'metrics and statistics', published: 'Metrics', ...TECHNICAL },
  suppressions: {
    about: 'bounces, unsubscribes and complaints',
    published: 'Unsubscribes, Complaints, Bounces',
    developer: 'write',
    support: 'write',
    basic: 'none',
  },
  allowlist: {
    about: 'the allowlist of suppressions',
    published: 'Whitelist (suppressions)',
    developer: 'write',
    support: 'write',
    basic: 'read',
  },
  routes: { about: 'routes', published: 'Routes', ...TECHNICAL },
  lists: { about: 'mailing lists', published: 'Mailing Lists', developer: 'write', support: 'write', basic: 'read' },
  templates: { about: 'templates', published: 'Templates', developer: 'write', support: 'write', basic: 'read' },
  ips: { about: 'IPs and their warm-up', published: 'IPs', ...TECHNICAL },
  pools: { about: 'IP pools', published: 'IP Pools', ...TECHNICAL },
  subaccounts: { about: 'subaccounts', published: 'Sub-Accounts', ...TECHNICAL },
  validations: { about: 'address validation', published: 'Validations', ...TECHNICAL },
  messageLimit: {
    about: "the account's own monthly limit of messages",
    published: 'Custom Message Limit',
    developer: 'read',
    support: 'read',
    basic: 'read',
  },
  credentials: {
    about: 'SMTP credentials',
    published: 'Credentials',
    developer: 'read',
    support: 'none',
    basic: 'none',
  },
  keys: { about: 'API keys', published: 'Keys', developer: 'read', support: 'none', basic: 'none' },
  ipAllowlist: { about: "the account's IP allowlist", published: 'IP Allowlist', ...TECHNICAL },
  account: { about: 'the account', published: 'Account Management', ...TECHNICAL },
  users: {
    about: 'other users',
    published: 'Users on an account',
    developer: 'none',
    support: 'none',
    basic: 'none',
  },
  ownUser: { about: 'the own user', published: 'Own user details', developer: 'read', support: 'read', basic: 'read' },
  ownSession: {
    about: 'the own session',
    why: 'Whoever is signed in may see where, and end it.',
    developer: 'write',
    support: 'write',
    basic: 'write',
  },
  signingKeys: {
    about: 'keys that sign webhooks and alerts',
    why: 'The published row is Account Management; here only those who may write webhooks see what signs them.',
    developer: 'write',
    support: 'none',
    basic: 'none',
  },
  other: {
    about: 'this',
    why: 'Previews, inspections, placement and monitoring have no published row. `basic` reads no emails.',
    developer: 'write',
    support: 'read',
    basic: 'figures',
  },
} as const satisfies Record<string, Rights>;

export type RightsName = keyof typeof RIGHTS;

type Judged = Pick<Contract, 'access' | 'rights' | 'method' | 'isMetric' | 'isQuery'>;

const isReading = ({ method, isQuery }: Judged): boolean => method === 'GET' || isQuery === true;

/** The group of an endpoint. */
function rightsOf({ rights = 'other' }: Judged): Rights {
  return RIGHTS[rights];
}

/** Whether a role may call an endpoint that asks for a key. */
export function mayCall(role: Role, contract: Judged): boolean {
  if (role === 'admin') return true;
  if (role === 'sending') return contract.access === 'sending';
  if (contract.access === 'admin') return false;
  const level = rightsOf(contract)[role];
  if (level === 'figures') return isReading(contract) && contract.isMetric === true;
  return level === 'write' || (level === 'read' && isReading(contract));
}

/** Why a role may not. */
export function refusalOf(role: Role, contract: Judged): string {
  if (role === 'sending') return 'A key with the role sending may only send messages.';
  const others = ROLES.filter((one) => mayCall(one, contract));
  if (others.length === 1) return 'This needs a key with the role admin.';
  const { about, ...levels } = rightsOf(contract);
  const level: Level = role === 'admin' ? 'write' : levels[role];
  const names = `${others.slice(0, -1).join(', ')} or ${others.at(-1)}`;
  if (level === 'none') return `The role ${role} has no access to ${about}. The role ${names} has.`;
  if (level === 'figures')
    return `The role ${role} may only read figures here, such as lists and statistics of tests. The role ${names} may do this.`;
  return `The role ${role} may only read here. The role ${names} may do this.`;
}
