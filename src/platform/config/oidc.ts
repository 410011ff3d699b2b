// Settings of single sign-on by OpenID Connect.
import type { Setting } from './settings.ts';

const ROLES = ['basic', 'billing', 'support', 'developer', 'admin'] as const;
type UserRole = (typeof ROLES)[number];

export interface OidcConfig {
  /** As the operator wrote it: a slash at its end belongs to it. */
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  scopes: string;
  /** What people call the provider. */
  name: string;
  /** Where the ID token says to which groups somebody belongs, part by part. */
  roleClaim: readonly string[];
  /** From the most powerful role down; empty where Galley's own roles count. */
  roles: readonly { value: string; role: UserRole }[];
  /** The role of users who are made at their first sign-in; undefined where nobody is. */
  createdRole: UserRole | undefined;
  /** Whether users of the provider may sign in with a password, too. */
  passwords: boolean;
}

const ROLES_MAX = 100;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

function issuerFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (!url || !isSafe)
    return 'give a URL that starts with https://; http:// is taken for this machine alone, such as http://127.0.0.1:8080.';
  if (url.search || url.hash || url.username || url.password)
    return 'give it without a query, a fragment, a user name and a password.';
  return text.includes('/.well-known/') ? 'give it without /.well-known/…, which Galley adds itself.' : undefined;
}

const printable = (max: number) => (text: string) =>
  text.length <= max && /^[\x20-\x7e]+$/.test(text) ? undefined : `give at most ${max} printable ASCII characters.`;

/** Undefined where an entry is none. */
function rolesOf(text: string): OidcConfig['roles'] | undefined {
  const entries = text.split(',').map((part) => {
    const [, value = '', role = ''] = /^\s*(.{1,200})=(\w+)\s*$/.exec(part) ?? [];
    return { value: value.trim(), role: role as UserRole };
  });
  if (entries.length > ROLES_MAX || entries.some(({ value, role }) => !value || !ROLES.includes(role)))
    return undefined;
  return entries.toSorted((one, other) => ROLES.indexOf(other.role) - ROLES.indexOf(one.role));
}

const roleFault = (text: string): string | undefined =>
  ROLES.includes(text as UserRole) ? undefined : `give one of ${ROLES.join(', ')}.`;

export const OIDC_SETTINGS: readonly Setting[] = [
  {
    name: 'GALLEY_OIDC_ISSUER',
    default: '',
    about:
      'Issuer of an OpenID Connect provider, such as `https://login.example.com/realms/staff`, letter by letter as its ' +
      'discovery document names it: people sign in to the dashboard by it, too. A provider in a private network also ' +
      'needs an entry of `GALLEY_ALLOW_HOSTS`. [Single sign-on](guides/single-sign-on.md) says what to set there. ' +
      'Unset: no single sign-on.',
    check: issuerFault,
  },
  {
    name: 'GALLEY_OIDC_CLIENT_ID',
    default: '',
    about: 'The id that the provider knows Galley by.',
    check: printable(300),
  },
  {
    name: 'GALLEY_OIDC_CLIENT_SECRET',
    default: '',
    about: 'The secret that goes with it. Unset: Galley is a public client, which proves itself by PKCE alone.',
    check: printable(1000),
    isSecret: true,
  },
  {
    name: 'GALLEY_OIDC_SCOPES',
    default: 'openid email profile',
    about: 'What Galley asks the provider for, separated by spaces; `openid` has to be among them.',
    check: (text) =>
      /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text) && text.length <= 500 && text.split(' ').includes('openid')
        ? undefined
        : 'give scopes separated by single spaces, openid among them.',
  },
  {
    name: 'GALLEY_OIDC_NAME',
    default: 'single sign-on',
    about: 'What people call the provider: the button says “Sign in with …”.',
    check: (text) => (text.length <= 40 ? undefined : 'give at most 40 characters.'),
  },
  {
    name: 'GALLEY_OIDC_ROLE_CLAIM',
    default: 'groups',
    about:
      'The claim with the groups of a person, a text or a list of texts; a dot leads into it, as in `realm_access.roles`.',
    check: (text) =>
      text.length <= 200 && text.split('.').every(Boolean) ? undefined : 'give names of claims, joined by dots.',
  },
  {
    name: 'GALLEY_OIDC_ROLES',
    default: '',
    about:
      'Which group has which role, such as `mail-admins=admin,marketing=developer`: the most powerful one counts, at ' +
      'each sign-in anew, and whoever is in none of them stays out. Unset: users keep the role that an admin gave them.',
    check: (text) => (rolesOf(text) ? undefined : `give group=role, joined by commas; roles are ${ROLES.join(', ')}.`),
  },
  {
    name: 'GALLEY_OIDC_CREATE_ROLE',
    default: '',
    about:
      'Role of a user of the first account who is made for whoever signs in by the provider without an invitation; ' +
      'where `GALLEY_OIDC_ROLES` is set, that says the role. Unset: nobody is made, people are invited.',
    check: roleFault,
  },
  {
    name: 'GALLEY_OIDC_PASSWORDS',
    default: 'on',
    about: '`off`: users who have signed in by the provider once cannot sign in with a password or a passkey any more.',
    check: (text) => (text === 'on' || text === 'off' ? undefined : 'give one of on, off.'),
  },
];

interface Reading {
  read: (name: string) => string | undefined;
  faults: string[];
}

/** Undefined where no provider is set. Settings that need one, and those that it needs, become faults. */
export function readOidc({ read, faults }: Reading): OidcConfig | undefined {
  const values = new Map(OIDC_SETTINGS.map(({ name }) => [name, read(name)] as const));
  const of = (name: string): string | undefined => values.get(`GALLEY_OIDC_${name}`);
  const issuer = of('ISSUER');
  if (issuer === undefined) {
    const alone = OIDC_SETTINGS.filter(({ name, default: unset }) => (values.get(name) ?? '') !== unset);
    faults.push(...alone.map(({ name }) => `${name} is set, but GALLEY_OIDC_ISSUER is not: set both or none.`));
    return undefined;
  }
  if (of('CLIENT_ID') === undefined)
    faults.push('GALLEY_OIDC_CLIENT_ID is not set: the provider of GALLEY_OIDC_ISSUER knows Galley by it.');
  return {
    issuer,
    clientId: of('CLIENT_ID') ?? '',
    clientSecret: of('CLIENT_SECRET'),
    scopes: of('SCOPES') as string,
    name: of('NAME') as string,
    roleClaim: (of('ROLE_CLAIM') as string).split('.'),
    roles: rolesOf(of('ROLES') ?? '') ?? [],
    createdRole: of('CREATE_ROLE') as UserRole | undefined,
    passwords: of('PASSWORDS') === 'on',
  };
}
