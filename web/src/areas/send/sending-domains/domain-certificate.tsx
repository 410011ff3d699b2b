// The certificate of a domain's tracking host: how far it is, when it ends, and what can be asked for.
import { Alert, Button, Skeleton } from '@mantine/core';
import type { Reply } from '@galley/sdk';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, sentenceOf, statusOf } from '../../../ground/api.ts';
import { pollMs } from '../../../ground/polling.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import type { SendingDomain } from '../../../shared/mail/mail-api.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import classes from './credentials.module.css';

const POLL_MS = 3000;

type Certificate = Reply<'GET /v2/x509/{domain}/status'>;

/** Null: none was asked for. */
const certificateQuery = (domain: string) =>
  queryOptions({
    queryKey: ['domain-certificate', domain],
    queryFn: async ({ signal }): Promise<Certificate | null> => {
      try {
        return await api.call('GET /v2/x509/{domain}/status', { path: { domain } }, { signal });
      } catch (error) {
        if (statusOf(error) === 404) return null;
        throw error;
      }
    },
    refetchInterval: (query) => pollMs(query, ({ status }) => status === 'processing', POLL_MS),
  });

const STATES: Record<Certificate['status'], { tone?: 'good' | 'bad' | 'doubt'; words: string }> = {
  active: { tone: 'good', words: 'valid' },
  processing: { tone: 'doubt', words: 'requested' },
  expired: { tone: 'bad', words: 'expired' },
  error: { tone: 'bad', words: 'not issued' },
};

function useRequest(domain: string, isAgain: boolean) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      isAgain
        ? api.call('PUT /v2/x509/{domain}', { path: { domain } })
        : api.call('POST /v2/x509/{domain}', { path: { domain } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: certificateQuery(domain).queryKey });
      announce('The certificate is requested.');
    },
  });
}

const moment = (time: string | null): ReactNode => time !== null && <When at={new Date(time)} />;

/** When it is tried again, where it is by itself. */
function NextTry({ certificate: { next_try: next } }: { certificate: Certificate }) {
  if (next === null) return <> It is not tried again by itself.</>;
  return <> It is tried again {moment(next)}.</>;
}

function Words({ certificate }: { certificate: Certificate }) {
  const { status, source, error, valid_to: end, next_try: next, host, is_served: isServed } = certificate;
  if (source === 'operator')
    return (
      <>
        A file of this installation’s operator is valid for {host} until {moment(end)}. The operator renews it.
      </>
    );
  if (status === 'processing')
    return <>The authority is asked for a certificate of {host}. This page shows what it answers.</>;
  if (status === 'expired')
    return (
      <>
        The certificate of {host} ended {moment(end)}.
        {isServed && <> Links over https start with this installation’s own address until there is another one.</>}
        <NextTry certificate={certificate} />
      </>
    );
  if (status === 'error')
    return (
      <>
        There is no certificate of {host} yet.
        <NextTry certificate={certificate} />
      </>
    );
  return (
    <>
      The certificate of {host} is valid until {moment(end)}.
      {next !== null && error === null && <> It is renewed by itself, next {moment(next)}.</>}
      {error !== null && <NextTry certificate={certificate} />}
    </>
  );
}

function State({ certificate }: { certificate: Certificate }) {
  const { status, error, is_served: isServed } = certificate;
  const { tone, words } = STATES[status];
  const isUsable = status === 'active';
  return (
    <>
      <p className={classes.about}>
        <Chip tone={tone}>{words}</Chip> <Words certificate={certificate} />
      </p>
      {error !== null && (
        <Alert
          color={isUsable ? 'yellow' : 'red'}
          mb="sm"
          title={isUsable ? 'The last renewal failed' : 'What kept it from being issued'}
        >
          {error}
        </Alert>
      )}
      {!isServed && (
        <p className={classes.about}>
          This installation does not answer over https at tracking hosts (GALLEY_TRACKING_TLS_PORT is off): what stands
          in front of it needs a certificate of its own.
        </p>
      )}
    </>
  );
}

/** Links of a domain start with https once its tracking host has a certificate. */
export function DomainCertificate({ domain }: { domain: SendingDomain }) {
  const certificate = useQuery(certificateQuery(domain.name));
  const known = certificate.data;
  const request = useRequest(domain.name, known !== null && known !== undefined);
  const { canWrite } = useRole('domains');
  const isWanted = known === null || known?.status === 'expired' || known?.status === 'error';
  return (
    <section aria-labelledby="domain-certificate" className={classes.section}>
      <div className={classes.head}>
        <h2 id="domain-certificate">Tracking certificate</h2>
      </div>
      {certificate.error && (
        <Alert color="red" title="The certificate could not be loaded">
          {sentenceOf(certificate.error)}
        </Alert>
      )}
      {request.error && (
        <Alert color="red" mb="sm" title="No certificate was requested">
          {sentenceOf(request.error)}
        </Alert>
      )}
      {certificate.isPending && <Skeleton height={48} />}
      {known === null && (
        <p className={classes.about}>
          Tracked links that start with https need a certificate of {domain.tracking_host}. None was requested yet.
        </p>
      )}
      {known && <State certificate={known} />}
      {canWrite && isWanted && (
        <Button size="xs" variant="default" loading={request.isPending} onClick={() => request.mutate()}>
          {known === null ? 'Request certificate' : 'Request again'}
        </Button>
      )}
    </section>
  );
}
