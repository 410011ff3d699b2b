// What an account says of a domain after it was added.
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { getDomain, setTrackingHost } from './domains.ts';
import { domainLogins } from './logins.ts';
import { changeSettings, type DomainSettings, type SendingDomain } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'secrets' | 'clock' | 'ports'>;

const URL_LENGTH_MAX = 2000;

interface Change extends Partial<Omit<DomainSettings, 'archiveTo'>> {
  name: string;
  archiveTo?: string | undefined;
  /** As it was given; empty: the login stays as it is. */
  smtpPassword?: unknown;
  isAutomatic?: boolean | undefined;
}

/** An address on the web; empty: none. Throws `invalid_request`. */
export function archiveOf(given: string | undefined): string | null | undefined {
  if (given === undefined) return undefined;
  const text = given.trim();
  if (text === '') return null;
  const url = text.length <= URL_LENGTH_MAX && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw invalid('archive_to', 'must be an http or https URL of at most 2,000 characters, without a password.');
  return url.href;
}

/** Throws `invalid_request`: keys by CNAME records would need a zone that this service answers for. */
export function refuseAutomatic(isAutomatic: boolean | undefined): void {
  if (isAutomatic)
    throw new AppError(
      'invalid_request',
      'use_automatic_sender_security must be false: this service answers for no DNS zone of its own, so that keys ' +
        'cannot be published by CNAME records. PUT /v1/dkim_management/domains/{name}/rotation rotates keys whose ' +
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
  { name, archiveTo: archive, smtpPassword, isAutomatic, webPrefix, webScheme, ...rest }: Change,
): Promise<SendingDomain> {
  refuseAutomatic(isAutomatic);
  const archiveTo = archiveOf(archive);
  const domain = await getDomain(outside, accountId, name);
  const isNew = smtpPassword !== undefined && smtpPassword !== '';
  const saveLogin = isNew ? await outside.ports.get(domainLogins).prepare(outside, domain, smtpPassword) : undefined;
  if (webPrefix !== undefined || webScheme !== undefined)
    await setTrackingHost(outside, accountId, {
      name,
      ...(webPrefix && { webPrefix }),
      ...(webScheme && { webScheme }),
    });
  const change = given({ ...rest, archiveTo });
  const saved = await outside.db.tx(async (tx) => {
    await saveLogin?.(tx);
    return changeSettings(tx, domain, { change, at: outside.clock.now() });
  });
  if (!saved) throw new AppError('not_found', 'Domain not found');
  return saved;
}
