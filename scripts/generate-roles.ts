// docs/roles.md: what each role may do, from the declarations of the endpoints and the table of rights.
import type { Feature } from '../src/platform/feature/index.ts';
import { mayCall, RIGHTS, RIGHTS_SOURCE, ROLES, type Contract, type Role } from '../src/platform/http/index.ts';

const WORDS = { none: 'none', figures: 'figures', read: 'read', write: 'read, write' } as const;
const GROUPS = Object.entries(RIGHTS);
const ABOUT = `Every request with an API key or a session has a role. The gatekeeper (\`src/platform/http/authentication.ts\`) compares it with the group of the endpoint before the body is read; an endpoint that names no group is in the group \`other\`.

- **admin** may read and write everything.
- **developer**, **support**, **basic**: by the groups below. \`basic\` is what the published table calls Analyst.
- **sending** may call \`POST /v3/{domain_name}/messages\` and \`POST /v3/{domain_name}/messages.mime\`, and nothing else; a key that names a domain only for that domain.
- **read** is GET (and \`POST /v1/analytics/logs\`, a question that is too long for a path); **write** is every other method. **figures** are the endpoints that answer with lists and statistics of tests, not with what is in an email.
- A key with \`domain_name\` may send messages of that domain only, whatever its role. New keys with a domain have the role \`sending\`.

## For which account

| The caller | names | and acts for | Answer |
|---|---|---|---|
| a key or user of an account | no account, or its own | its own account | as its role says |
| a key or user of the parent account | one of its subaccounts | the subaccount | as its role says |
| a key or user of a subaccount | its parent | nobody | 403 |
| a key or user of a subaccount | another subaccount | nobody | 403 |
| any | an account of somebody else, one that is disabled or closed, or none that exists | nobody | 403 |

The account is named by one of the headers \`X-Service-Account-Id\`, \`X-Mailgun-On-Behalf-Of\` and \`X-Mailgun-Account-Id\`. \`test/permissions.test.ts\` calls every endpoint with every role in each of these ways, and with keys of one domain.`;

function groupsTable(): string {
  const rows = GROUPS.map(([name, rights]) => {
    const source = 'published' in rights ? `published: ${rights.published}` : `decided here: ${rights.why}`;
    const levels = (['developer', 'support', 'basic'] as const).map((role) => WORDS[rights[role]]);
    return `| \`${name}\` | ${rights.about} | ${levels.join(' | ')} | ${source} |`;
  });
  return `| Group | About | developer | support | basic | Source |\n|---|---|---|---|---|---|\n${rows.join('\n')}`;
}

const markOf = (role: Role, contract: Contract): string => (mayCall(role, contract) ? 'yes' : '–');

function endpointsTable(features: readonly Feature[]): string {
  const all = features.flatMap(({ endpoints }) => endpoints.map(({ contract }) => contract));
  const asking = all.filter(({ access }) => access !== 'none');
  const rows = asking
    .toSorted((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)))
    .map(
      (contract) =>
        `| ${contract.method} | \`${contract.path}\` | \`${contract.rights ?? 'other'}\`` +
        `${contract.access === 'admin' ? ', admin only' : ''} | ` +
        `${ROLES.map((role) => markOf(role, contract)).join(' | ')} |`,
    );
  const open = all.filter(({ access }) => access === 'none').map(({ method, path }) => `\`${method} ${path}\``);
  const heads = `| Method | Path | Group | ${ROLES.join(' | ')} |\n|---|---|---|${'---|'.repeat(ROLES.length)}`;
  return `${heads}\n${rows.join('\n')}\n\nWithout a key: ${open.join(', ')}.`;
}

/** The whole document. */
export function rolesDoc(features: readonly Feature[], note: string): string {
  const { name, url, readOn } = RIGHTS_SOURCE;
  return (
    `# Roles\n\n${note}\n\n${ABOUT}\n\n## Groups\n\nRows marked “published” are those of [${name}](${url}), read on ` +
    `${readOn}; the others were decided here.\n\n${groupsTable()}\n\n## Endpoints\n\n${endpointsTable(features)}\n`
  );
}
