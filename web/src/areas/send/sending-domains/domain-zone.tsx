// Who answers for the DNS of a domain, and when its records are looked for.
import type { Reply } from '@galley/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';
import { When } from '../../../ground/shell/when.tsx';
import type { SendingDomain } from '../../../shared/mail/mail-api.ts';
import classes from './domains.module.css';

type Zone = Reply<'GET /v1/galley/domains/{name}/zone'>;

export function zoneQuery(name: string) {
  return queryOptions({
    queryKey: ['domain-zone', name],
    queryFn: ({ signal }) => api.call('GET /v1/galley/domains/{name}/zone', { path: { name } }, { signal }),
  });
}

/** What most providers take as the name of a record: the part before the zone, `@` for the zone itself. */
export function nameInZone(name: string, zone: string | null): string | undefined {
  if (zone === null) return undefined;
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : undefined;
}

function Provider({ zone }: { zone: Zone }) {
  if (zone.zone === null) return null;
  const servers = zone.name_servers.join(', ');
  return (
    <p className={classes.intro}>
      {zone.provider === null
        ? `The name servers of ${zone.zone} are ${servers}.`
        : `${zone.provider} answers for ${zone.zone} (${servers}).`}{' '}
      {zone.hint}
    </p>
  );
}

/** Above the records of a domain that is not verified yet. */
export function DomainZone({ domain }: { domain: SendingDomain }) {
  const { data: zone } = useQuery(zoneQuery(domain.name));
  return (
    <>
      {domain.next_check_at !== null && (
        <p className={classes.intro} role="status">
          This installation looks for the records by itself, next <When at={new Date(domain.next_check_at)} />
          {domain.checked_at !== null && (
            <>
              ; last <When at={new Date(domain.checked_at)} />
            </>
          )}
          . This page follows.
        </p>
      )}
      {zone && <Provider zone={zone} />}
    </>
  );
}
