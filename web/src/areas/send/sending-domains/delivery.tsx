// What becomes of messages that a domain sends, and where programs hand them over by SMTP.
import { Alert, Skeleton, Switch } from '@mantine/core';
import type { Reply } from '@galley/sdk';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import classes from './credentials.module.css';

type DomainDelivery = Reply<'GET /v1/galley/domains/{name}/delivery'>;

function deliveryQuery(name: string) {
  return queryOptions({
    queryKey: ['domain-delivery', name],
    queryFn: ({ signal }) => api.call('GET /v1/galley/domains/{name}/delivery', { path: { name } }, { signal }),
  });
}

const WORDS: Record<DomainDelivery['effective'], string> = {
  live: 'What is accepted now leaves for its recipients.',
  capture: 'What is accepted now is kept, and does not leave this installation.',
};

function wordsOf({ service, delivery, effective }: DomainDelivery): string {
  if (service === 'live') return WORDS[effective];
  return (
    'This installation captures every message (GALLEY_DELIVERY=capture), so nothing leaves it. ' +
    (delivery === 'live' ? 'Once it delivers, so does this domain.' : 'Once it delivers, this domain still captures.')
  );
}

function useSwitch(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (delivery: DomainDelivery['delivery']) =>
      api.call('PUT /v1/galley/domains/{name}/delivery', { path: { name }, body: { delivery } }),
    onSuccess: (reply) => {
      queries.setQueryData(deliveryQuery(name).queryKey, reply);
      announce(wordsOf(reply));
      void queries.invalidateQueries({ queryKey: ['sandbox-recipients'] });
    },
  });
}

/** The switch between delivering and capturing. */
export function Delivery({ domain }: { domain: string }) {
  const delivery = useQuery(deliveryQuery(domain));
  const change = useSwitch(domain);
  const { canWrite } = useRole('domains');
  const error = delivery.error ?? change.error;
  return (
    <section aria-labelledby="domain-delivery" className={classes.section}>
      <div className={classes.head}>
        <h2 id="domain-delivery">Delivery</h2>
      </div>
      {error && (
        <Alert color="red" mb="sm" title={delivery.error ? 'The setting could not be loaded' : 'Nothing was changed'}>
          {sentenceOf(error)}
        </Alert>
      )}
      {delivery.isPending && <Skeleton height={48} />}
      {delivery.data && (
        <Switch
          label="Deliver messages of this domain"
          description={wordsOf(delivery.data)}
          checked={delivery.data.delivery === 'live'}
          disabled={!canWrite || change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked ? 'live' : 'capture')}
        />
      )}
    </section>
  );
}

const submissionQuery = queryOptions({
  queryKey: ['submission'],
  queryFn: ({ signal }) => api.call('GET /v1/galley/submission', {}, { signal }),
});

/** Host and ports for programs that log in. */
export function SubmissionPlace() {
  const { data } = useQuery(submissionQuery);
  if (!data) return null;
  const { host, port, tls_port: tlsPort } = data;
  if (port === null && tlsPort === null)
    return <p className={classes.about}>This installation has no fixed port for SMTP; its log names those it took.</p>;
  return (
    <div className={classes.place}>
      <CopyField label="Host" value={host} />
      {port !== null && <CopyField label="Port, STARTTLS" value={String(port)} />}
      {tlsPort !== null && <CopyField label="Port, TLS" value={String(tlsPort)} />}
    </div>
  );
}
