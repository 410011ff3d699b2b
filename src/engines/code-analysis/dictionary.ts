import {
  applicationTypeByPlatform,
  categoryNames,
  clientsOfData,
  familyNames,
  features,
  platformNames,
  type ApplicationType,
} from '../caniemail/index.ts';
import { supportRows } from './support-rows.ts';

interface Dictionary {
  /** Family codes to names. */
  clients: Record<string, string>;
  platforms: Record<string, string>;
  /** Platform codes to the kind of application. */
  application_type: Record<string, ApplicationType>;
  support_levels: Record<'y' | 'a' | 'n' | 'u', string>;
  categories: Record<string, string>;
  /** Ids of tested client versions, as results name them. */
  variants: Record<string, { client: string; platform: string; version: string }>;
}

let made: Dictionary | undefined;

/** The look-ups that results are read with. Only what the data has rows for. */
export function dictionary(): Dictionary {
  return (made ??= make());
}

function make(): Dictionary {
  const clients = clientsOfData();
  const variants: Dictionary['variants'] = {};
  for (const { slug } of features) {
    for (const { id, family, platform, version } of supportRows(slug))
      variants[id] ??= { client: family, platform, version };
  }
  const pick = <Value>(table: Readonly<Record<string, Value>>, codes: readonly string[]) =>
    Object.fromEntries(
      [...new Set(codes)].sort().flatMap((code) => (table[code] === undefined ? [] : [[code, table[code]]])),
    ) as Record<string, Value>;
  const platforms = clients.map(({ platform }) => platform);
  return {
    clients: pick(
      familyNames,
      clients.map(({ family }) => family),
    ),
    platforms: pick(platformNames, platforms),
    application_type: pick(applicationTypeByPlatform, platforms),
    support_levels: { y: 'Supported', a: 'Partially supported', n: 'Not supported', u: 'Support unknown' },
    categories: pick(
      categoryNames,
      features.map(({ category }) => category),
    ),
    variants: Object.fromEntries(Object.entries(variants).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
