// The email clients that messages can be shown in: rows of data/clients, expanded, checked and frozen once.

import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import appleMail from '../../../data/clients/apple-mail.json' with { type: 'json' };
import deviceData from '../../../data/clients/devices.json' with { type: 'json' };
import gmail from '../../../data/clients/gmail.json' with { type: 'json' };
import others from '../../../data/clients/others.json' with { type: 'json' };
import outlook from '../../../data/clients/outlook.json' with { type: 'json' };
import samsung from '../../../data/clients/samsung.json' with { type: 'json' };
import sourceData from '../../../data/clients/sources.json' with { type: 'json' };
import thunderbird from '../../../data/clients/thunderbird.json' with { type: 'json' };
import yahooAol from '../../../data/clients/yahoo-aol.json' with { type: 'json' };
import { appearanceNames } from './appearance.ts';
import type { ClientProfile } from './types.ts';

/** One family of clients as written in `data/clients` (the README there explains every field). */
export interface ClientFamily {
  family: string;
  defaults: ClientRow;
  clients: ClientRow[];
}

/** A row as written: fields of a profile, short forms, and `dark` for the same client in dark mode. */
interface ClientRow {
  id?: string;
  /** Name of a screen in `devices.json`. */
  device?: string;
  /** `family.platform` or `family.platform@version` of the caniemail data. */
  support?: string;
  /** The kind of mailbox shown, where it isn't the vendor's own. */
  account?: 'google' | 'microsoft' | 'other';
  /** Names of entries in `sources.json`; those of the family's defaults are added. */
  sources?: string[];
  dark?: ClientRow;
  [field: string]: unknown;
}

const text = Type.String({ minLength: 1 });
const date = Type.String({ pattern: '^\\d{4}(-\\d\\d(-\\d\\d)?)?$' });

const account = Type.Union([Type.Literal('google'), Type.Literal('microsoft'), Type.Literal('other')]);

const profileSchema = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9]+(_[a-z0-9]+)*$' }),
    displayName: text,
    client: text,
    version: Type.String(),
    os: Type.String(),
    category: Type.Union([Type.Literal('Application'), Type.Literal('Mobile'), Type.Literal('Web')]),
    browser: Type.String(),
    family: text,
    support: Type.Union([
      Type.Null(),
      Type.Object({ family: text, platform: text, version: Type.String(), account: Type.Optional(account) }),
    ]),
    viewport: Type.Object({
      width: Type.Integer({ minimum: 240, maximum: 2560 }),
      height: Type.Integer({ minimum: 240, maximum: 4096 }),
      pixelRatio: Type.Number({ minimum: 1, maximum: 4 }),
    }),
    screenPixelRatio: Type.Number({ minimum: 1, maximum: 4 }),
    rotate: Type.Boolean(),
    colorScheme: Type.Union([Type.Literal('light'), Type.Literal('dark')]),
    darkStrategy: Type.Union([
      Type.Literal('none'),
      Type.Literal('authored'),
      Type.Literal('partial'),
      Type.Literal('full'),
    ]),
    darkBase: Type.String({ pattern: '^(#[0-9a-f]{6})?$' }),
    engine: Type.Union([
      Type.Literal('chromium'),
      Type.Literal('firefox'),
      Type.Literal('webkit'),
      Type.Literal('thunderbird'),
    ]),
    fidelity: Type.Union([Type.Literal('real'), Type.Literal('engine'), Type.Literal('emulated')]),
    plugins: Type.Array(text),
    appearance: Type.Optional(Type.Union(appearanceNames().map((name) => Type.Literal(name)))),
    imageBlocking: Type.Boolean(),
    free: Type.Boolean(),
    default: Type.Boolean(),
    extension: Type.String(),
    messageBytesMax: Type.Union([Type.Null(), Type.Integer({ minimum: 1 })]),
    sources: Type.Array(Type.Object({ what: text, url: text, date }), { minItems: 1 }),
  },
  { additionalProperties: false },
);

const devices: Record<string, { width: number; height: number; pixelRatio?: number; os: string }> = deviceData.devices;
const sources: Record<string, { what: string; url: string; date: string }> = sourceData.sources;

/**
 * Turns written rows into profiles: a row with `dark` becomes two, the second with `_dm` added to its id.
 * @throws RangeError that names the row and the field, when a row is wrong.
 */
export function expandClients(families: readonly ClientFamily[]): ClientProfile[] {
  const profiles = families.flatMap((family) => family.clients.flatMap((row) => expandRow(family, row)));
  const seen = new Set<string>();
  for (const { id } of profiles) {
    if (seen.has(id)) throw new RangeError(`Two clients are called "${id}".`);
    seen.add(id);
  }
  return profiles;
}

function expandRow(family: ClientFamily, row: ClientRow): ClientProfile[] {
  const { dark, ...light } = row;
  const profile = profileOf(family, light);
  if (!dark) return [profile];
  const merged = {
    ...light,
    default: false,
    ...dark,
    id: dark.id ?? `${profile.id}_dm`,
    displayName: dark['displayName'] ?? `${profile.displayName}, dark`,
    sources: [...(light.sources ?? []), ...(dark.sources ?? [])],
    colorScheme: 'dark',
  };
  return [profile, profileOf(family, merged)];
}

const profileCheck = Compile(profileSchema);

function profileOf(family: ClientFamily, row: ClientRow): ClientProfile {
  const { device, support, account: mailbox, sources: _listed, ...fields } = { ...family.defaults, ...row };
  const name = `${family.family}: ${row.id ?? '(no id)'}`;
  const screen = lookUp(devices, device ?? '', `${name}: device`);
  const profile: unknown = {
    browser: '',
    rotate: false,
    default: false,
    colorScheme: 'light',
    darkStrategy: 'none',
    darkBase: '',
    os: screen.os,
    ...fields,
    family: family.family,
    support: support ? { ...readSupport(support), ...(mailbox ? { account: mailbox } : {}) } : null,
    viewport: { width: screen.width, height: screen.height, pixelRatio: 1 },
    screenPixelRatio: screen.pixelRatio ?? 1,
    sources: [...new Set([...(family.defaults.sources ?? []), ...(row.sources ?? [])])].map((source) =>
      lookUp(sources, source, `${name}: source`),
    ),
  };
  if (!profileCheck.Check(profile)) {
    const first = profileCheck.Errors(profile)[0];
    throw new RangeError(`${name}: ${first?.instancePath ?? ''} ${first?.message ?? 'is not a client'}.`);
  }
  return profile;
}

function lookUp<T>(table: Record<string, T>, key: string, where: string): T {
  const found = Object.hasOwn(table, key) ? table[key] : undefined;
  if (found === undefined) throw new RangeError(`${where} "${key}" is not known.`);
  return found;
}

function readSupport(written: string): { family: string; platform: string; version: string } {
  const [, family = '', platform = '', version = ''] = /^([^.@]+)\.([^@]+)(?:@(.+))?$/.exec(written) ?? [];
  return { family, platform, version };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

/** Every client, in the order of the data: by family, light before dark. */
export const CLIENTS: readonly ClientProfile[] = deepFreeze(
  expandClients([gmail, outlook, appleMail, yahooAol, samsung, thunderbird, ...others.families] as ClientFamily[]),
);

const byId = new Map(CLIENTS.map((client) => [client.id, client]));

/** The client with this API id, or undefined. */
export function findClient(id: string): ClientProfile | undefined {
  return byId.get(id);
}

/** The clients of a test that names none. */
export function defaultClientIds(): string[] {
  return CLIENTS.filter((client) => client.default).map((client) => client.id);
}
