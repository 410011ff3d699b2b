// Every endpoint with every role, for the own account, a subaccount, the parent, a sibling and a stranger: through the
// gatekeeper and the router as they are, with handlers that do nothing. A new endpoint is in it by itself.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FEATURES } from '../src/app/features.ts';
import { changeAsOperator } from '../src/features/account/ip-allowlist/index.ts';
import { createKey } from '../src/features/account/keys/index.ts';
import type { Feature } from '../src/platform/feature/index.ts';
import { HttpReply, ROLES, type Contract, type Endpoint, type Role } from '../src/platform/http/index.ts';
import { startApp, type App } from './harness/start-app.ts';

type AnyEndpoint = Feature['endpoints'][number];

/** Of an endpoint that was reached; no gatekeeper answers so. */
const REACHED = 299;
const isReached = (status: number): boolean => status === REACHED || status === 400 || status === 415;
const DOMAIN = 'bound.example.com';

const stub = (endpoint: AnyEndpoint): AnyEndpoint =>
  ({ ...endpoint, handle: async () => new HttpReply('reached', {}, REACHED) }) as Endpoint<never> as AnyEndpoint;

const stubbed: Feature[] = FEATURES.map(({ endpointsFor, ...feature }) => ({
  ...feature,
  endpoints: feature.endpoints.map(stub),
  ...(endpointsFor && { endpointsFor: (lists) => endpointsFor(lists).map(stub) }),
}));
const contracts: Contract[] = FEATURES.flatMap(({ endpoints }) => endpoints.map(({ contract }) => contract));
const guarded = contracts.filter(({ access }) => access !== 'none');

/** A proxy that the tests are: a caller's address is what they say. */
const HOME = '203.0.113.7';
const AWAY = '198.51.100.9';
const NOT_IN_LIST = `The IP allowlist of this account does not contain ${AWAY}.`;

/** Who calls, and which account it names. */
const RELATIONS = [
  'own',
  'own, named',
  'parent for subaccount',
  'subaccount for parent',
  'sibling',
  'stranger',
] as const;
type Relation = (typeof RELATIONS)[number];
const MAY_ACT: ReadonlySet<Relation> = new Set(['own', 'own, named', 'parent for subaccount']);

let app: App;
/** Secrets, by account and role. */
const keys = new Map<string, string>();
const accounts = { parent: '', first: 'a'.repeat(24), second: 'b'.repeat(24), stranger: 'c'.repeat(24) };

async function addAccount(id: string, parentId: string | null): Promise<void> {
  const now = app.clock.now();
  const row = {
    id,
    parentId,
    name: id,
    region: 'us' as const,
    status: 'open' as const,
    createdAt: now,
    updatedAt: now,
  };
  await app.galley.outside.db.ofAnyone.insertInto('accounts').values(row).execute();
}

async function addKey(accountId: string, role: Role, domainName: string | null = null): Promise<string> {
  const wanted = { accountId, role, domainName, description: '', expiresAt: null };
  return (await createKey(app.galley.outside.db, app.clock.now(), wanted)).secret;
}

before(async () => {
  const limits = {
    GALLEY_KEY_REQUESTS_PER_MINUTE: '0',
    GALLEY_ACCOUNT_REQUESTS_PER_MINUTE: '0',
    GALLEY_WRONG_KEYS_PER_MINUTE: '0',
    GALLEY_TRUSTED_PROXIES: '127.0.0.1,::1',
  };
  app = await startApp({ GALLEY_ROLES: 'api', ...limits }, { onlyFeatures: stubbed });
  const first = await app.galley.outside.db.ofAnyone.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  accounts.parent = first.id;
  await addAccount(accounts.first, accounts.parent);
  await addAccount(accounts.second, accounts.parent);
  await addAccount(accounts.stranger, null);
  for (const account of ['parent', 'first'] as const)
    for (const role of ROLES) keys.set(`${account} ${role}`, await addKey(accounts[account], role));
});
after(() => app.close());

const HEADERS = ['x-service-account-id', 'x-mailgun-on-behalf-of', 'x-mailgun-account-id'] as const;

const keyHeader = (key: string) => ({ authorization: `Basic ${btoa(`api:${key}`)}` });

/** A request whose body no endpoint needs: what comes behind the gatekeeper is another question. */
function request({ method, path }: Contract, headers: Record<string, string>) {
  const url = path.replaceAll(/\{(domain_name|name|domain)\}/g, DOMAIN).replaceAll(/\{\w+\}/g, 'x');
  return app.galley.app.inject({ method, url, headers });
}

async function statusOf(contract: Contract, key: string, forAccount?: string, header = 0): Promise<number> {
  const named = forAccount !== undefined && { [HEADERS[header % 3] as string]: forAccount };
  return (await request(contract, { ...keyHeader(key), ...named })).statusCode;
}

const CALLERS: Readonly<Record<Relation, readonly ['parent' | 'first', keyof typeof accounts | undefined]>> = {
  own: ['first', undefined],
  'own, named': ['first', 'first'],
  'parent for subaccount': ['parent', 'first'],
  'subaccount for parent': ['first', 'parent'],
  sibling: ['first', 'second'],
  stranger: ['parent', 'stranger'],
};

/** What the document says: `yes` or not, by `GET /v1/keys` and role. */
function documented(): Map<string, boolean> {
  const text = readFileSync(join(import.meta.dirname, '..', 'docs', 'roles.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (GET|POST|PUT|PATCH|DELETE) \| `([^`]+)` \| [^|]+ \| (.+) \|$/gm)];
  return new Map(
    rows.flatMap(([, method, path, cells = '']) =>
      cells.split(' | ').map((cell, place) => [`${method} ${path} ${ROLES[place]}`, cell === 'yes'] as const),
    ),
  );
}

describe('who may call what', () => {
  const table = documented();
  for (const relation of RELATIONS)
    it(`${relation}: every endpoint answers every role as docs/roles.md says`, async () => {
      const [account, target] = CALLERS[relation];
      const wrong: string[] = [];
      for (const [place, contract] of guarded.entries())
        for (const role of ROLES) {
          const name = `${contract.method} ${contract.path}`;
          const secret = keys.get(`${account} ${role}`) as string;
          const status = await statusOf(contract, secret, target && accounts[target], place);
          // Where the header names what the call is about, the endpoint itself looks whose it is; it has its own tests.
          const mayAct = MAY_ACT.has(relation) || contract.namesAccount === true;
          const should = mayAct && table.get(`${name} ${role}`);
          if (should === undefined) wrong.push(`${name} is not in docs/roles.md: npm run generate`);
          else if (should ? !isReached(status) : status !== 403) wrong.push(`${name} ${role}: ${status}`);
        }
      assert.deepEqual(wrong, []);
    });

  it('a key of one domain reaches the two endpoints that send as it, and nothing else, whatever its role', async () => {
    const reached = new Set<string>();
    for (const role of ROLES) {
      const secret = await addKey(accounts.first, role, DOMAIN);
      for (const contract of guarded) {
        const status = await statusOf(contract, secret);
        if (isReached(status)) reached.add(`${contract.method} ${contract.path}`);
        else assert.equal(status, 403, `${contract.method} ${contract.path} ${role}`);
      }
    }
    assert.deepEqual([...reached].sort(), ['POST /v3/{domain_name}/messages', 'POST /v3/{domain_name}/messages.mime']);
  });

  it('answers 401 without a key, with a wrong one, an expired and a revoked one, at every endpoint', async () => {
    const { db } = app.galley.outside;
    const now = app.clock.now();
    const made = { accountId: accounts.first, role: 'admin' as const, description: '' };
    const expired = await createKey(db, now, { ...made, expiresAt: new Date(now.getTime() - 1) });
    const revoked = await createKey(db, now, { ...made, expiresAt: null });
    await db.ofAnyone.updateTable('apiKeys').set({ revokedAt: now }).where('id', '=', revoked.key.id).execute();
    for (const contract of guarded)
      for (const secret of ['', 'key-wrong', expired.secret, revoked.secret])
        assert.equal(await statusOf(contract, secret), 401, `${contract.method} ${contract.path}`);
  });
});

/** A session of a key, as signing in begins it; answers its cookie. */
async function addSession(accountId: string, role: Role): Promise<string> {
  const { db } = app.galley.outside;
  const keyId = (await createKey(db, app.clock.now(), { accountId, role, description: '', expiresAt: null })).key.id;
  const token = `token of ${keyId}`.replaceAll(' ', '-');
  const now = app.clock.now();
  const row = { id: keyId, keyId, userId: null, accountId, address: HOME, userAgent: '' };
  const digest = createHash('sha256').update(token).digest();
  const times = { createdAt: now, lastUsedAt: now, expiresAt: new Date(now.getTime() + 3_600_000) };
  await db.ofAnyone
    .insertInto('sessions')
    .values({ ...row, ...times, digest })
    .execute();
  return `galley_session=${token}`;
}

/** What stands for the reason in each of the shapes of errors. */
const reasonOf = (body: string): unknown => {
  const { message, error, Error: old, reason, Reason: older, detail } = JSON.parse(body);
  return message ?? error ?? old ?? reason ?? older ?? detail;
};

describe('who may call from where', () => {
  /** Keys and sessions of every role. */
  const callers: { name: string; headers: Record<string, string>; own: 'parent' | 'first' }[] = [];
  before(async () => {
    for (const account of ['parent', 'first'] as const)
      for (const role of ROLES) {
        const name = `${account} ${role}`;
        callers.push({ name, headers: keyHeader(keys.get(name) as string), own: account });
        const cookie = await addSession(accounts[account], role);
        callers.push({ name: `${name}, session`, headers: { cookie, 'sec-fetch-site': 'same-origin' }, own: account });
      }
  });

  /** What is wrong with the answers of every endpoint to every such caller, with and without an account named. */
  async function faultsOf(
    address: string,
    own: readonly ('parent' | 'first')[],
    check: (answer: { statusCode: number; body: string }) => boolean,
  ): Promise<string[]> {
    const wrong: string[] = [];
    for (const [place, contract] of guarded.entries())
      for (const caller of callers.filter((one) => own.includes(one.own)))
        for (const target of [undefined, accounts.first]) {
          const named = target !== undefined && { [HEADERS[place % 3] as string]: target };
          const headers = { ...caller.headers, ...named, 'x-forwarded-for': address };
          const answer = await request(contract, headers);
          const call = `${contract.method} ${contract.path} ${caller.name} for ${target ?? 'its own'}`;
          if (!check(answer)) wrong.push(`${call}: ${answer.statusCode} ${answer.body.slice(0, 100)}`);
        }
    return wrong;
  }

  const put = (account: keyof typeof accounts, change: Parameters<typeof changeAsOperator>[2]) =>
    changeAsOperator(app.galley.outside, accounts[account], change);
  const isRefusedByList = ({ statusCode, body }: { statusCode: number; body: string }): boolean =>
    statusCode === 403 && reasonOf(body) === NOT_IN_LIST;

  it('a list refuses, at every endpoint and in one way, every key and session of its account; no other ones', async () => {
    await put('first', { add: { address: HOME, description: '' } });
    try {
      assert.deepEqual(await faultsOf(AWAY, ['first'], isRefusedByList), []);
      assert.deepEqual(await faultsOf(HOME, ['first'], (answer) => !isRefusedByList(answer)), []);
      assert.deepEqual(await faultsOf(AWAY, ['parent'], (answer) => !isRefusedByList(answer)), []);
    } finally {
      await put('first', { remove: 'all' });
    }
  });

  it("a parent's list refuses those of its subaccounts, too, and itself where it acts for one", async () => {
    await put('parent', { add: { address: HOME, description: '' } });
    try {
      assert.deepEqual(await faultsOf(AWAY, ['parent', 'first'], isRefusedByList), []);
    } finally {
      await put('parent', { remove: 'all' });
    }
  });
});

/** The published table of roles, by paths: what each role may do at every endpoint that they match. */
const PUBLISHED: readonly (readonly [RegExp, developer: string, support: string, basic: string])[] = [
  [/^\/v[34]\/domains(\/\{name\}(\/verify)?)?$/, 'write', 'read', 'read'],
  [/^\/v3\/\{domain_name\}\/messages(\.mime)?$/, 'write', 'read', 'read'],
  [/^\/v1\/webhooks|^\/v[34]\/domains\/\{\w+\}\/webhooks/, 'write', 'read', 'read'],
  [/^\/v1\/analytics\/logs$|^\/v3\/\{domain_name\}\/events/, 'write', 'read', 'read'],
  [/^\/v3\/\{domain_name\}\/(unsubscribes|complaints|bounces)/, 'write', 'write', 'none'],
  [/^\/v3\/\{domain_name\}\/whitelists/, 'write', 'write', 'read'],
  [/^\/v3\/ips/, 'write', 'read', 'read'],
  [/^\/v3\/ip_pools/, 'write', 'read', 'read'],
  [/^\/v5\/accounts\/subaccounts(\/\{\w+\}(\/\w+)?)?$/, 'write', 'read', 'read'],
  [/^\/v5\/accounts\/limit\//, 'read', 'read', 'read'],
  [/^\/v3\/domains\/\{domain_name\}\/credentials/, 'read', 'none', 'none'],
  [/^\/v1\/keys/, 'read', 'none', 'none'],
  [/^\/v2\/ip_whitelist/, 'write', 'read', 'read'],
  [/^\/v5\/accounts$|^\/v5\/sandbox\//, 'write', 'read', 'read'],
  [/^\/v5\/users(\/\{user_id\})?$/, 'none', 'none', 'none'],
  [/^\/v5\/users\/me$/, 'read', 'read', 'read'],
];

describe('docs/roles.md', () => {
  const table = documented();
  it('says of every published row what is published', () => {
    const wrong = PUBLISHED.flatMap(([path, ...levels]) =>
      guarded
        // What says “admin only” of itself is stricter than its row, on purpose, and shown so.
        .filter((contract) => path.test(contract.path) && contract.access !== 'admin')
        .flatMap((contract) =>
          (['developer', 'support', 'basic'] as const).flatMap((role, place) => {
            const name = `${contract.method} ${contract.path} ${role}`;
            const isReading = contract.method === 'GET' || contract.path === '/v1/analytics/logs';
            const should = levels[place] === 'write' || (levels[place] === 'read' && isReading);
            return table.get(name) === should ? [] : [name];
          }),
        ),
    );
    assert.deepEqual(wrong, []);
  });
});
