// Refreshes data/mailbox-providers from the traffic shaping rules of KumoMTA:
//
//   npm pack smol-toml@1.9.1 && tar xzf smol-toml-*.tgz
//   node scripts/refresh-mailbox-providers.ts package/dist/index.js shaping.toml community.toml
//
// The two files are assets/policy-extras/shaping.toml and assets/community/shaping.toml of github.com/KumoCorp/kumomta.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Automation {
  regex: string | string[];
  action: unknown;
  trigger?: 'Immediate' | { Threshold?: string };
  duration: string;
}

interface Section {
  match?: { MXSuffix?: string }[];
  connection_limit?: number;
  provider_connection_limit?: number;
  max_deliveries_per_connection?: number;
  enable_tls?: string;
  automation?: Automation[];
}

type Shaping = Record<string, Section> & { provider?: Record<string, Section> };

interface Rule {
  pattern: string;
  /** So many matching replies within an hour. */
  perHour: number;
  seconds: number;
  does: { suspends: true } | { connections: number } | { perMinute: number } | { messagesPerConnection: number };
}

interface Provider {
  name: string;
  /** Of the names of mail servers. */
  suffixes: string[];
  /** Recipients' own. */
  domains: string[];
  connections?: number;
  /** The connections are those to one set of servers, not to all of the provider's. */
  isPerServerSet?: boolean;
  messagesPerConnection?: number;
  isTlsRequired?: boolean;
  rules: Rule[];
}

/** Sections that are examples or KumoMTA's own. */
const NOT_MAILBOXES = /kumomta|^example\.com$|^smtp\.mailgun\.com$|^http/;
/** Rules that the source files under a name that it does not define. */
const ALSO: Record<string, string> = { gmail: 'google' };
const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

function secondsOf(text: string): number {
  const [, count, unit] = /^(\d+)\s*([smhd])/.exec(text) ?? [];
  if (count === undefined || unit === undefined) throw new Error(`"${text}" is no duration.`);
  return Number(count) * (UNITS[unit] as number);
}

function perMinuteOf(rate: string): number {
  const [, count, unit] = /^(\d+)\/(\w)/.exec(rate) ?? [];
  if (count === undefined || unit === undefined) throw new Error(`"${rate}" is no rate.`);
  return (Number(count) * 60) / (UNITS[unit] as number);
}

function deedOf(action: unknown): Rule['does'] | undefined {
  if (action === 'Suspend' || action === 'SuspendTenant') return { suspends: true };
  const { name, value } = (action as { SetConfig?: { name: string; value: string | number } }).SetConfig ?? {};
  if (name === 'connection_limit') return { connections: Number(value) };
  if (name === 'max_message_rate') return { perMinute: perMinuteOf(String(value)) };
  if (name === 'max_deliveries_per_connection') return { messagesPerConnection: Number(value) };
  // A rate of new connections is not counted here.
  if (name === 'max_connection_rate') return undefined;
  throw new Error(`The action ${JSON.stringify(action)} is not known.`);
}

function rulesOf(automation: Automation[] = []): Rule[] {
  return automation.flatMap(({ regex, action, trigger, duration }) =>
    [regex].flat().flatMap((pattern) =>
      [action].flat().flatMap((one) => {
        const does = deedOf(one);
        const threshold = typeof trigger === 'object' ? Number(/^\d+/.exec(trigger.Threshold ?? '')?.[0]) : 1;
        if (!(threshold > 0)) throw new Error(`The trigger of ${pattern} is not known.`);
        void new RegExp(pattern);
        return does ? { pattern, perHour: threshold, seconds: secondsOf(duration), does } : [];
      }),
    ),
  );
}

function providerOf(name: string, section: Section, domains: string[]): Provider {
  const suffixes = (section.match ?? []).flatMap(({ MXSuffix }) => MXSuffix?.toLowerCase().replace(/\.$/, '') ?? []);
  const connections = section.provider_connection_limit ?? section.connection_limit;
  return {
    name,
    suffixes,
    domains,
    ...(connections !== undefined && { connections }),
    ...(section.provider_connection_limit === undefined && connections !== undefined && { isPerServerSet: true }),
    ...(section.max_deliveries_per_connection !== undefined && {
      messagesPerConnection: section.max_deliveries_per_connection,
    }),
    ...(section.enable_tls?.startsWith('Required') && { isTlsRequired: true }),
    rules: rulesOf(section.automation),
  };
}

/** The providers of both files; what the later one says of a provider is added. */
function providersIn(files: readonly Shaping[]): Provider[] {
  const sections = new Map<string, { section: Section; domains: string[] }>();
  const add = (name: string, section: Section, domains: string[]): void => {
    const before = sections.get(name);
    const automation = [...(before?.section.automation ?? []), ...(section.automation ?? [])];
    sections.set(name, {
      section: { ...before?.section, ...section, automation },
      domains: before?.domains ?? domains,
    });
  };
  for (const { provider = {}, ...others } of files) {
    for (const [name, section] of Object.entries(provider)) add(ALSO[name] ?? name, section, []);
    for (const [domain, section] of Object.entries(others as Record<string, Section>))
      if (!NOT_MAILBOXES.test(domain)) add(domain, section, domain === 'default' ? [] : [domain]);
  }
  return [...sections]
    .map(([name, { section, domains }]) => providerOf(name, section, domains))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

if (import.meta.main) {
  const [parser = '', ...files] = process.argv.slice(2);
  const { parse } = (await import(pathToFileURL(resolve(parser)).href)) as { parse: (text: string) => Shaping };
  const providers = providersIn(files.map((file) => parse(readFileSync(file, 'utf8'))));
  const lines = providers.map((provider) => `  ${JSON.stringify(provider)}`);
  writeFileSync(
    join(import.meta.dirname, '..', 'data', 'mailbox-providers', 'providers.json'),
    `[\n${lines.join(',\n')}\n]\n`,
  );
  console.log(`${providers.length} providers, ${providers.reduce((sum, { rules }) => sum + rules.length, 0)} rules`);
}
