import { Alert, Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, sentenceOf, statusOf } from '../../../ground/api.ts';
import { ReloadIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { domainQuery, type DnsRecord, type DomainReply } from '../../../shared/mail/mail-api.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { NotLoaded } from '../../../shared/report/check-gate.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { announce } from '../../../ground/shell/announce.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import { DomainState } from './domain-state.tsx';
import classes from './domains.module.css';
import { useDeleteDomain } from './use-delete-domain.ts';

const PURPOSES: Record<DnsRecord['purpose'], { name: string; about: string }> = {
  dkim: { name: 'DKIM', about: 'The public half of the key that signs your mail.' },
  spf: {
    name: 'SPF',
    about:
      'Allows this installation’s host to send for the domain. If there is a record already, add the part between ' +
      'v=spf1 and ~all to it: two records are an error.',
  },
  dmarc: {
    name: 'DMARC',
    about: 'Says what receivers do with mail that passes neither. The large providers ask for one; any policy will do.',
  },
  mx: { name: 'MX', about: 'Brings mail for the domain here. Only if you want to receive at it.' },
};

const ORDER: DnsRecord['purpose'][] = ['dkim', 'spf', 'dmarc', 'mx'];

function Found({ record }: { record: DnsRecord }) {
  if (record.valid === 'valid') return <Chip tone="good">found</Chip>;
  if (record.valid === 'unknown') return <Chip>{record.cached.length ? 'no answer' : 'not looked up yet'}</Chip>;
  return <Chip tone={record.is_needed ? 'bad' : 'doubt'}>{record.cached.length ? 'differs' : 'not found'}</Chip>;
}

/** `isOwn`: Galley's receivers know it, and nobody looks it up. */
function RecordCard({ record, isOwn }: { record: DnsRecord; isOwn: boolean }) {
  const { name, about } = PURPOSES[record.purpose];
  return (
    <article className={classes.record} data-valid={record.valid}>
      <header className={classes.recordHead}>
        <h2>{name}</h2>
        <span className={classes.type}>{record.record_type}</span>
        {!isOwn && <Found record={record} />}
        {!isOwn && (
          <span className="dim">{record.is_needed ? 'needed' : record.purpose === 'mx' ? 'optional' : 'advised'}</span>
        )}
      </header>
      <p className={classes.about}>{about}</p>
      <div className={classes.fields}>
        <CopyField label={`${name} name`} value={record.name} />
        <CopyField
          label={`${name} value`}
          value={record.priority === undefined ? record.value : `${record.priority} ${record.value}`}
        />
      </div>
      {record.valid === 'invalid' && record.cached.length > 0 && (
        <div className={classes.cached}>
          <span className="label">What DNS holds instead</span>
          {record.cached.map((text) => (
            <code key={text}>{text}</code>
          ))}
        </div>
      )}
    </article>
  );
}

function useVerify(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.call('PUT /v4/domains/{name}/verify', { path: { name } }),
    onSuccess: (reply) => {
      const records = [...reply.sending_dns_records, ...reply.receiving_dns_records];
      announce(
        `${records.filter(({ valid }) => valid === 'valid').length} of ${count(records.length, 'record')} found.`,
      );
      queries.setQueryData(domainQuery(name).queryKey, reply);
      void queries.invalidateQueries({ queryKey: ['domains'] });
    },
  });
}

function Loaded({ reply }: { reply: DomainReply }) {
  const { domain } = reply;
  const { canWrite } = useRole();
  const verify = useVerify(domain.name);
  const askDelete = useDeleteDomain(domain.name);
  const records = [...reply.sending_dns_records, ...reply.receiving_dns_records].toSorted(
    (a, b) => ORDER.indexOf(a.purpose) - ORDER.indexOf(b.purpose),
  );
  const found = records.filter(({ valid }) => valid === 'valid').length;
  const isSandbox = domain.type === 'sandbox';
  return (
    <>
      <PageHead
        title={domain.name}
        tabTitle={`${domain.name} · Domain`}
        lead={
          <>
            <DomainState domain={domain} />
            {domain.verified_at && (
              <>
                {' '}
                since <When at={new Date(domain.verified_at)} />
              </>
            )}
          </>
        }
      >
        {canWrite && !isSandbox && (
          <>
            <Button size="xs" leftSection={<ReloadIcon />} loading={verify.isPending} onClick={() => verify.mutate()}>
              Look up the records
            </Button>
            <Button size="xs" variant="default" leftSection={<TrashIcon />} onClick={askDelete}>
              Delete
            </Button>
          </>
        )}
      </PageHead>
      {verify.error && (
        <Alert color="red" mb="lg" title="The records were not looked up">
          {sentenceOf(verify.error)}
        </Alert>
      )}
      {isSandbox ? (
        <p className={classes.intro}>
          Made with your account, for trying out: Galley’s own receivers know its records without DNS. The world does
          not, so real mailboxes will distrust it.
        </p>
      ) : (
        <p className={classes.intro}>
          Publish these at whoever keeps your DNS, then look them up. {found} of {records.length} found.{' '}
          {domain.state === 'active'
            ? 'Mail may be sent from this domain.'
            : 'The domain is verified as soon as the DKIM record is found; new records may take ' +
              'some minutes to be seen.'}
        </p>
      )}
      <div className={classes.records}>
        {records.map((record) => (
          <RecordCard key={`${record.purpose} ${record.name}`} record={record} isOwn={isSandbox} />
        ))}
      </div>
    </>
  );
}

/** One domain: its DNS records, and which of them the world sees. */
export function DomainPage() {
  const { domain } = useParams({ from: '/shell/domains/$domain' });
  const query = useQuery(domainQuery(domain));
  if (query.data) return <Loaded reply={query.data} />;
  if (statusOf(query.error) === 404)
    return (
      <Notice
        isPage
        title="There is no such domain"
        action={<Button renderRoot={(props) => <Link to="/domains" {...props} />}>All domains</Button>}
      />
    );
  if (query.error) return <NotLoaded error={query.error} retry={() => void query.refetch()} />;
  return (
    <div className={reportClasses.body}>
      <Skeleton height={220} />
    </div>
  );
}
