// Whom mail for a domain goes to: the provider that runs its servers, what it takes at once, and how long it wants to be
// left alone.

interface ProviderRule {
  pattern: string;
  /** So many matching replies within an hour. */
  perHour: number;
  seconds: number;
  does: { suspends: true } | { connections: number } | { perMinute: number } | { messagesPerConnection: number };
}

/** A row of data/mailbox-providers. */
export interface MailboxProvider {
  name: string;
  /** Of the names of mail servers. */
  suffixes: readonly string[];
  /** Recipients' own. */
  domains: readonly string[];
  connections?: number;
  /** The connections are those to one set of servers, not to all of the provider's. */
  isPerServerSet?: boolean;
  messagesPerConnection?: number;
  isTlsRequired?: boolean;
  rules: readonly ProviderRule[];
}

export interface Destination {
  /** Destinations with the same key share their connections. */
  key: string;
  provider: string | undefined;
  connections: number;
  messagesPerConnection: number;
  isTlsRequired: boolean;
  /** The address of ours that mail leaves from, where one was chosen: its connections are counted by themselves. */
  from?: string;
}

/** Why nothing goes there now. */
interface Slowdown {
  reason: string;
  until: Date;
}

export interface Destinations {
  /** Of the providers that are known. */
  readonly names: readonly string[];
  /** A server that the operator named, or Galley's own. */
  own(key: string): Destination;
  /** For a domain and its servers, the preferred first. */
  of(domain: string, servers: readonly string[], from?: string): Destination;
  /** Notes what a server said: some replies ask a sender to slow down. */
  note(destination: Destination, reply: string): void;
  /** Undefined when a message may go now. Asking takes the turn of a destination with a rate. */
  slowdownOf(destination: Destination): Slowdown | undefined;
}

interface Limits {
  connections: number;
  messagesPerConnection: number;
}

/** What was asked of us, until when. */
interface Asked {
  does: ProviderRule['does'];
  reply: string;
  until: number;
}

interface State {
  /** Times of matching replies, by rule. */
  hits: Map<ProviderRule, number[]>;
  asked: Asked[];
  /** The next message of a destination with a rate. */
  nextAt: number;
}

const HOUR_MS = 3_600_000;
const STATES_MAX = 10_000;
const REPLY_SHOWN_MAX = 200;
/** Rules of every destination. */
const DEFAULT = 'default';

/** `limits` bound what the providers' data allows, where the operator set them, and are the default elsewhere. */
export function createDestinations(
  providers: readonly MailboxProvider[],
  { limits, bound, now }: { limits: Limits; bound: Partial<Limits>; now: () => number },
): Destinations {
  const general = providers.find(({ name }) => name === DEFAULT)?.rules ?? [];
  const named = providers.filter(({ name }) => name !== DEFAULT);
  const byName = new Map(named.map((provider) => [provider.name, provider]));
  const byDomain = new Map(named.flatMap((provider) => provider.domains.map((domain) => [domain, provider] as const)));
  const patterns = new Map(
    providers.flatMap(({ rules }) => rules.map((rule) => [rule, new RegExp(rule.pattern)] as const)),
  );
  const states = new Map<string, State>();

  const least = (given: number | undefined, what: keyof Limits): number =>
    Math.min(given ?? limits[what], bound[what] ?? Infinity);

  function askedOf({ key }: Destination): Asked[] {
    const state = states.get(key);
    if (!state) return [];
    state.asked = state.asked.filter(({ until }) => until > now());
    return state.asked;
  }

  return {
    names: [...byName.keys()],
    own: (key) => ({ key, provider: undefined, ...limits, isTlsRequired: false }),
    of(domain, servers, from) {
      const provider =
        byDomain.get(domain) ??
        named.find(({ suffixes }) => suffixes.some((suffix) => `.${servers[0] ?? ''}`.endsWith(suffix)));
      const set = servers.length > 0 ? [...servers].sort().join(',') : domain;
      const destination: Destination = {
        key: provider?.connections !== undefined && !provider.isPerServerSet ? `provider ${provider.name}` : set,
        provider: provider?.name,
        connections: least(provider?.connections, 'connections'),
        messagesPerConnection: least(provider?.messagesPerConnection, 'messagesPerConnection'),
        isTlsRequired: provider?.isTlsRequired ?? false,
        ...(from !== undefined && { from }),
      };
      if (from !== undefined) destination.key += `|${from}`;
      for (const { does } of askedOf(destination)) {
        if ('connections' in does) destination.connections = Math.min(destination.connections, does.connections);
        if ('messagesPerConnection' in does)
          destination.messagesPerConnection = Math.min(destination.messagesPerConnection, does.messagesPerConnection);
      }
      return destination;
    },
    note(destination, reply) {
      const rules = [...(byName.get(destination.provider ?? '')?.rules ?? []), ...general];
      const hit = rules.filter((rule) => (patterns.get(rule) as RegExp).test(reply));
      if (hit.length === 0) return;
      if (states.size >= STATES_MAX) states.delete(states.keys().next().value as string);
      const state = states.get(destination.key) ?? { hits: new Map(), asked: [], nextAt: 0 };
      states.set(destination.key, state);
      for (const rule of hit) noteHit(state, rule, { reply, now: now() });
    },
    slowdownOf(destination) {
      const asked = askedOf(destination);
      const state = states.get(destination.key);
      return state && asked.length > 0 ? slowdownIn(state, whoIs(destination), now()) : undefined;
    },
  };
}

function whoIs({ provider, key, from }: Destination): string {
  const who = provider ?? key.split(/[,|]/)[0] ?? '';
  return from === undefined ? who : `${who} from ${from}`;
}

function noteHit(state: State, rule: ProviderRule, { reply, now }: { reply: string; now: number }): void {
  const hits = [...(state.hits.get(rule) ?? []), now].filter((at) => at > now - HOUR_MS);
  state.hits.set(rule, hits.slice(-rule.perHour));
  if (hits.length < rule.perHour) return;
  const asked = { does: rule.does, reply, until: now + rule.seconds * 1000 };
  state.asked = [...state.asked.filter(({ does }) => does !== rule.does), asked];
}

/** Takes the turn of a destination with a rate. */
function slowdownIn(state: State, who: string, now: number): Slowdown | undefined {
  const said = ({ reply }: Asked): string => `because it said: ${reply.slice(0, REPLY_SHOWN_MAX)}`;
  const suspended = state.asked.find(({ does }) => 'suspends' in does);
  if (suspended)
    return { reason: `nothing is sent to ${who} for now, ${said(suspended)}`, until: new Date(suspended.until) };
  const slowed = state.asked.find(({ does }) => 'perMinute' in does);
  if (!slowed) return undefined;
  if (state.nextAt > now)
    return { reason: `little is sent to ${who} for now, ${said(slowed)}`, until: new Date(state.nextAt) };
  state.nextAt = now + 60_000 / (slowed.does as { perMinute: number }).perMinute;
  return undefined;
}
