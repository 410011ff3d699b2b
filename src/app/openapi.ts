// The OpenAPI documents: the whole, and one for each group that has a version of its own.
import { inspectionKinds } from '../features/proof/_inspections/index.ts';
import type { Config } from '../platform/config/index.ts';
import { listsOf, type Feature } from '../platform/feature/index.ts';
import { openApiDocument, withNamedSchemas, type Contract, type OpenApiDocument } from '../platform/http/index.ts';
import examples from './examples.json' with { type: 'json' };
import { FEATURES } from './features.ts';
import { VERSION } from './version.ts';

const LICENSE = { name: 'MIT', identifier: 'MIT' };

/** Descriptions of the tags, except those of kinds of inspections. */
const TAGS: Record<string, string> = {
  Alerts: 'What is the matter, and who is told: settings by event type and channel, and their tests.',
  'Audit log': 'Who changed what, and from where.',
  Domains: 'The domains that the account sends as, with the DNS records to publish.',
  'Email preview': 'Pictures of an email in many clients, their exports and shares.',
  Gate: 'All checks of an email at once, judged by a policy.',
  'Inbox placement': 'Where a message lands at seed mailboxes of many providers.',
  Inspections: 'Checks of every kind in one shape.',
  'IP allowlist': 'The addresses from which the account is used.',
  Keys: 'The API keys of the account.',
  Routes: 'What is done with mail that comes in for domains of the account.',
  'Seed mailboxes': 'Mailboxes of your own that tests look into.',
  Sessions: 'Who is signed in to the dashboard.',
  'Spam testing V1': 'How spam filters and receivers judge a message.',
  Subaccounts: 'Accounts below the account.',
  Thresholds: 'Limits that stop what accounts use, and alerts on rates of sending.',
  Webhooks: 'Events, posted to URLs of yours, with the log of what was sent and how it was answered.',
};

/** What a description about one group of operations covers. */
interface Group {
  title: string;
  version: string;
  description: string;
  tags: readonly string[];
}

const GROUPS = {
  preview: {
    title: 'Galley: email preview',
    version: '1.0.0',
    description: TAGS['Email preview'] as string,
    tags: ['Email preview'],
  },
  alerts: {
    title: 'Galley: alerts',
    version: '0.0.1',
    description: TAGS['Alerts'] as string,
    tags: ['Alerts'],
  },
  sending: {
    title: 'Galley: the sending account',
    version: '0.0.0',
    description: 'The account that mail is sent from: its domains, keys and subaccounts.',
    tags: ['Domains', 'Keys', 'Subaccounts'],
  },
} as const satisfies Record<string, Group>;
type GroupName = keyof typeof GROUPS;

/** Each is described at `/openapi/{name}.json`. */
export const GROUP_NAMES = Object.keys(GROUPS) as GroupName[];

type Features = readonly Feature[];

const contractsOf = (features: Features): Contract[] =>
  features.flatMap((feature) => feature.endpoints.map(({ contract }) => contract));

/** All descriptions: each kind of inspection declares that of its own tag. */
function tagsOf(features: Features): Record<string, string> {
  const ofKinds = listsOf(features)
    .of(inspectionKinds)
    .map(({ tag }) => [tag.name, tag.about] as const);
  return { ...TAGS, ...Object.fromEntries(ofKinds) };
}

/** The addresses of the regions, the deployment's own first; where none is set, the one that its reader used. */
export function serversOf(
  { region, regionUrls }: Pick<Config, 'region' | 'regionUrls'>,
  baseUrl: string,
): OpenApiDocument['servers'] {
  const urls = Object.entries(regionUrls);
  if (!urls.length) return [{ url: baseUrl, description: 'This deployment.' }];
  return urls
    .sort(([name]) => (name === region ? -1 : 1))
    .map(([name, url]) => ({ url, description: `Region ${name}.` }));
}

/** The whole API, with every schema where it is used. */
export function wholeDocument(servers: OpenApiDocument['servers'], features: Features = FEATURES): OpenApiDocument {
  const description =
    'Proofs an email before it is sent, watches how it is received, and runs the sending account in between. ' +
    'Examples are calls of its own tests: lists and long texts in them are cut short, and ids, times and addresses of ' +
    'hosts are replaced.';
  return openApiDocument(contractsOf(features), {
    info: { title: 'Galley', version: VERSION, description, license: LICENSE },
    servers,
    tags: tagsOf(features),
    examples,
  });
}

/** The same for programs: each schema that is used several times stands once, under a name. */
export function namedDocument(servers: OpenApiDocument['servers'], features: Features = FEATURES): OpenApiDocument {
  return withNamedSchemas(wholeDocument(servers, features));
}

/** The description of one group, with the version that its contract gives it. */
export function groupDocument(name: GroupName, servers: OpenApiDocument['servers']): OpenApiDocument {
  const { tags, ...info }: Group = GROUPS[name];
  const contracts = contractsOf(FEATURES).filter(({ tag }) => tags.includes(tag));
  return withNamedSchemas(
    openApiDocument(contracts, { info: { ...info, license: LICENSE }, servers, tags: TAGS, examples }),
  );
}
