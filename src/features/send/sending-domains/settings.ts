// What an account says of a domain after it was added.
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { readTarget } from '../../../platform/posting/index.ts';
import { setAutomatic } from './automatic.ts';
import { getDomain, setTrackingHost } from './domains.ts';
import { domainLogins } from './logins.ts';
import { readReturnHost } from './return-hosts.ts';
import { changeSettings, type DomainSettings, type SendingDomain } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock' | 'ports'>;

interface Change extends Partial<Omit<DomainSettings, 'archiveTo' | 'mailfromHost'>> {
  name: string;
  archiveTo?: string | undefined;
  /** As it was given; empty: the login stays as it is. */
  smtpPassword?: unknown;
  isAutomatic?: boolean | undefined;
  mailfromHost?: string | undefined;
}

/** Where copies are posted to; empty: nowhere. Throws `invalid_request`. */
export function archiveOf({ config }: Pick<Outside, 'config'>, given: string | undefined): string | null | undefined {
  if (given === undefined) return undefined;
  const text = given.trim();
  if (text === '') return null;
  const { allowHosts } = config.fetch;
  return new URL(readTarget(text, { allowHosts, field: 'archive_to', prefix: 'archive_to: ' }).url).href;
}

/** Throws `invalid_request`: keys by CNAME records need a zone in which the operator publishes them. */
export function refuseAutomatic({ config }: Pick<Outside, 'config'>, isAutomatic: boolean | undefined): void {
  if (isAutomatic && config.dns.keysZone === '')
    throw new AppError(
      'invalid_request',
      'use_automatic_sender_security must be false: the operator of this service has named no DNS zone for keys ' +
        '(GALLEY_KEYS_ZONE) to which CNAME records could lead. PUT /v1/dkim_management/domains/{name}/rotation rotates keys whose ' +
        'records you publish.',
      { details: { field: 'use_automatic_sender_security' } },
    );
}

/** Without what was not given. */
export function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/** Changes what is given. Throws `not_found`, and `invalid_request` naming the field. */
export async function changeDomain(
  outside: Doors,
  accountId: string,
  { name, archiveTo: archive, smtpPassword, isAutomatic, mailfromHost, webPrefix, webScheme, ...rest }: Change,
): Promise<SendingDomain> {
  refuseAutomatic(outside, isAutomatic);
  const archiveTo = archiveOf(outside, archive);
  const domain = await getDomain(outside, accountId, name);
  const returnHost = readReturnHost(outside, domain, mailfromHost);
  const isNew = smtpPassword !== undefined && smtpPassword !== '';
  const saveLogin = isNew ? await outside.ports.get(domainLogins).prepare(outside, domain, smtpPassword) : undefined;
  if (isAutomatic !== undefined) await setAutomatic(outside, domain, isAutomatic);
  if (webPrefix !== undefined || webScheme !== undefined)
    await setTrackingHost(outside, accountId, {
      name,
      ...(webPrefix && { webPrefix }),
      ...(webScheme && { webScheme }),
    });
  const change = given({ ...rest, archiveTo, mailfromHost: returnHost });
  const saved = await outside.db.tx(async (tx) => {
    await saveLogin?.(tx);
    return changeSettings(tx, domain, { change, at: outside.clock.now() });
  });
  if (!saved) throw new AppError('not_found', 'Domain not found');
  return saved;
}
