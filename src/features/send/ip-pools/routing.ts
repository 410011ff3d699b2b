// Which addresses a message may leave from: what its call names, a pool that a feature above put its domain into, what
// the domain has, the pool that was delegated to the account, what the account has or was given, what all share. None of them: the system
// chooses. What is bound to a pool waits when that has no address: nothing of it leaves from another one silently.
import type { Db } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { defineList } from '../../../platform/ports/index.ts';
import { Recent } from '../../../platform/recent/index.ts';
import { listAllIps, listGivenTo, listHeldBack, routeChanges, type SendingIp } from '../sending-ips/index.ts';
import { maySendFrom } from './pools.ts';
import { findDelegated, findRoute } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'clock' | 'log' | 'lists'>;

/** Another process sees a change so late at most. */
const REMEMBERED_MS = 1000;
const DOMAINS_MAX = 10_000;

/** The pool that a domain was put into; what the domain has of its own is for when no address of that can send. */
type PoolOfDomain = (
  doors: Pick<Outside, 'db' | 'clock'>,
  domain: { accountId: string; name: string },
) => Promise<string | undefined>;

/** Asked in the order of the features; a change calls `forgetRoutes`. */
export const domainPools = defineList<PoolOfDomain>('ip-pools.domain-pools');

/** A domain of an account, and what the call named: `''`, `ip 192.0.2.1`, `pool 64a…`. */
interface Sender {
  accountId: string;
  domain: string;
  route: string;
}

/** The addresses that mail may leave from. */
export interface SendingSet {
  /** Who has the same key sends from the same set. */
  key: string;
  /** The pool that it is to leave from, where that has no addresses. */
  emptyPoolId: string | undefined;
  ips: readonly string[];
  /** The pool that an address is in. */
  poolIdOf(ip: string): string | undefined;
  /** Those of them that go first, as far as they may; see `SendingGate`. */
  heldBack: readonly string[];
  /** Those that a running process can send from. */
  alive: readonly string[];
}

interface Known {
  at: number;
  changes: number;
}

interface Addresses extends Known {
  all: readonly SendingIp[];
  heldBack: ReadonlySet<string>;
}

export interface Routing {
  /** False: the system chooses for every message. */
  hasAddresses(): Promise<boolean>;
  /** Undefined: the system chooses the address. */
  setFor(sender: Sender): Promise<SendingSet | undefined>;
}

const isFresh = (known: Known | undefined, db: Db): known is Known =>
  known !== undefined && performance.now() - known.at < REMEMBERED_MS && known.changes === routeChanges(db);

const knownNow = (db: Db): Known => ({ at: performance.now(), changes: routeChanges(db) });

/** Without addresses: those of a pool that has none, for which mail waits. */
interface Choice {
  ips: readonly SendingIp[];
  poolId?: string;
}

/** What is known of addresses, kept for a second. */
class RememberingRouting implements Routing {
  readonly #doors: Doors;
  readonly #choices = new Recent<Known & { choice: Promise<Choice | undefined> }>(DOMAINS_MAX);
  #addresses: Promise<Addresses> | undefined;
  #known: Addresses | undefined;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async hasAddresses(): Promise<boolean> {
    return (await this.#readAddresses()).all.length > 0;
  }

  async setFor(sender: Sender): Promise<SendingSet | undefined> {
    const { all, heldBack } = await this.#readAddresses();
    if (all.length === 0) return undefined;
    const choice = await this.#choiceOf(sender, all);
    if (!choice || (choice.ips.length === 0 && choice.poolId === undefined)) return undefined;
    const now = this.#doors.clock.now();
    const ips = choice.ips.map(({ ip }) => ip);
    return {
      key: ips.length > 0 ? ips.join(' ') : `pool ${choice.poolId}`,
      emptyPoolId: ips.length > 0 ? undefined : choice.poolId,
      ips,
      poolIdOf: (ip) => choice.ips.find((one) => one.ip === ip)?.poolId ?? undefined,
      heldBack: ips.filter((ip) => heldBack.has(ip)),
      alive: choice.ips.filter(({ boundUntil }) => boundUntil > now).map(({ ip }) => ip),
    };
  }

  async #readAddresses(): Promise<Addresses> {
    const { db } = this.#doors;
    if (isFresh(this.#known, db)) return this.#known;
    this.#addresses ??= this.#ask().finally(() => {
      this.#addresses = undefined;
    });
    return this.#addresses;
  }

  async #ask(): Promise<Addresses> {
    const known = knownNow(this.#doors.db);
    const all = await listAllIps(this.#doors.db);
    const heldBack = await listHeldBack(
      this.#doors,
      all.map(({ ip }) => ip),
    );
    this.#known = { ...known, all, heldBack };
    return this.#known;
  }

  #choiceOf(sender: Sender, all: readonly SendingIp[]): Promise<Choice | undefined> {
    const key = `${sender.accountId} ${sender.domain} ${sender.route}`;
    const { db } = this.#doors;
    const kept = this.#choices.get(key);
    if (kept && isFresh(kept, db)) return kept.choice;
    const choice = this.#choose(sender, all);
    this.#choices.set(key, { ...knownNow(db), choice });
    choice.catch(() => this.#choices.delete(key));
    return choice;
  }

  async #choose({ accountId, domain, route }: Sender, all: readonly SendingIp[]): Promise<Choice | undefined> {
    const { db } = this.#doors;
    const inPool = (poolId: string): Required<Choice> => ({ poolId, ips: all.filter((one) => one.poolId === poolId) });
    const [kind, named = ''] = route.split(' ');
    // What was taken back since the call is used no more, by what waits from then, too.
    if (kind === 'ip' && (await maySendFrom(db, accountId, { ip: named }))) {
      const ips = all.filter(({ ip }) => ip === named);
      if (ips.length > 0) return { ips };
    }
    if (kind === 'pool' && (await maySendFrom(db, accountId, { poolId: named })) && inPool(named).ips.length > 0)
      return inPool(named);
    const domainPoolId = await this.#domainPoolOf({ accountId, name: domain });
    const domainPool = domainPoolId === undefined ? undefined : inPool(domainPoolId);
    const now = this.#doors.clock.now();
    if (domainPool?.ips.some(({ boundUntil }) => boundUntil > now)) return domainPool;
    const own = await findRoute(db, { accountId, domain });
    if (own && own.poolId !== null) return inPool(own.poolId);
    if (own && own.ips.length > 0) return { ips: all.filter(({ ip }) => own.ips.includes(ip)) };
    const delegated = await findDelegated(db, accountId);
    if (delegated) return inPool(delegated.id);
    const given = await listGivenTo(db, accountId);
    const isOwn = (one: SendingIp): boolean => one.accountId === accountId || given.includes(one.ip);
    const free = all.filter((one) => isOwn(one) && !one.isShared && one.poolId === null);
    const ips = free.length > 0 ? free : all.filter(({ isShared }) => isShared);
    return ips.length === 0 && domainPool ? domainPool : { ips };
  }

  async #domainPoolOf(domain: { accountId: string; name: string }): Promise<string | undefined> {
    for (const poolOf of this.#doors.lists.of(domainPools)) {
      const poolId = await poolOf(this.#doors, domain);
      if (poolId !== undefined) return poolId;
    }
    return undefined;
  }
}

/** Decides where messages leave from, with what it remembers. */
export const createRouting = (doors: Doors): Routing => new RememberingRouting(doors);
