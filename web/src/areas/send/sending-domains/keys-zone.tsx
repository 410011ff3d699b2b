// What the operator of the installation publishes for domains with keys by CNAME records.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';
import { count } from '../../../ground/words.ts';
import classes from './credentials.module.css';

function save(zoneFile: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([zoneFile], { type: 'text/plain' }));
  link.download = 'keys.zone';
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The zone for keys, for the first account of the installation; the others are refused it, and see nothing. */
export function KeysZone() {
  const { data } = useQuery({
    queryKey: ['keys-zone'],
    queryFn: ({ signal }) => api.call('GET /v1/galley/keys_zone', {}, { signal }),
    retry: false,
  });
  if (!data || data.zone === null) return null;
  const { zone, records, zone_file: zoneFile } = data;
  return (
    <section aria-labelledby="keys-zone" className={classes.section}>
      <div className={classes.head}>
        <h2 id="keys-zone">Zone for keys</h2>
        <Button size="xs" variant="default" disabled={records.length === 0} onClick={() => save(zoneFile)}>
          Save zone file
        </Button>
      </div>
      <p className={classes.about}>
        As the operator of this installation you publish {count(records.length, 'DKIM key')} in <code>{zone}</code>, for
        domains with keys by CNAME records. A script on your name server reads them every hour at least:{' '}
        <code>galley keys-zone</code>, or <code>GET /v1/galley/keys_zone</code>. A key signs once DNS has shown it for
        three hours.
      </p>
    </section>
  );
}
