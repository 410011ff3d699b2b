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
import { Credentials } from './credentials.tsx';
import { Delivery } from './delivery.tsx';
import { DomainCertificate } from './domain-certificate.tsx';
import { DomainGate } from './domain-gate.tsx';
import { DomainKeys } from './domain-keys.tsx';
import { DomainSettings } from './domain-settings.tsx';
import { DomainState } from './domain-state.tsx';
import { DomainZone, nameInZone, zoneQuery } from './domain-zone.tsx';
import classes from './domains.module.css';
import { SandboxRecipients } from './sandbox-recipients.tsx';
import { useDeleteDomain } from './use-delete-domain.ts';

const PURPOSES: Record<DnsRecord['purpose'], { name: string; about: string }> = {
  dkim: { name: 'DKIM', about: 'The public key of the signature on your mail.' },
  spf: {
    name: 'SPF',
    about:
      'Allows this installation’s host to send for the domain. If the domain already has an SPF record, add the part ' +
      'between v=spf1 and ~all to it: two SPF records are an error.',
  },
  dmarc: {
    name: 'DMARC',
    about:
      'Tells receivers what to do with mail that fails both SPF and DKIM. Large providers require one; any policy is ' +
      'enough.',
  },
  tracking: {
    name: 'Tracking',
    about:
      'Gives tracked links a host of this domain. Until it is found, they start with this installation’s own address.',
  },
  return_path: {
    name: 'Return path',
    about:
      'Bounces come back to this host, and receivers look up SPF for it. Until the record is found, bounces come back to ' +
      'this installation’s own host.',
  },
  mx: {
    name: 'MX',
    about: 'Delivers mail for the domain to this installation. Add it only if you want to receive mail here.',
  },
};

/** Of a key that the operator publishes. */
const LEADING =
  'Leads to a key that the operator of this installation publishes, so that keys change and this record stays. It is found ' +
  'once the operator has published the key, too.';

const ORDER: DnsRecord['purpose'][] = ['dkim', 'spf', 'dmarc', 'tracking', 'return_path', 'mx'];

const OPTIONAL: ReadonlySet<DnsRecord['purpose']> = new Set(['mx', 'tracking', 'return_path']);

function Found({ record }: { record: DnsRecord }) {
  if (record.valid === 'valid') return <Chip tone="good">found</Chip>;
  if (record.valid === 'unknown') return <Chip>{record.cached.length ? 'no DNS answer' : 'not checked'}</Chip>;
  return <Chip tone={record.is_needed ? 'bad' : 'doubt'}>{record.cached.length ? 'differs' : 'not found'}</Chip>;
}

/** `isOwn`: Galley's receivers know it, and nobody looks it up. */
function RecordCard({ record, isOwn, zone }: { record: DnsRecord; isOwn: boolean; zone: string | null }) {
  const { name, about: told } = PURPOSES[record.purpose];
  const isLeading = record.purpose === 'dkim' && record.record_type === 'CNAME';
  const about = isLeading ? LEADING : told;
  const short = nameInZone(record.name, zone);
  return (
    <article className={classes.record} data-valid={record.valid}>
      <header className={classes.recordHead}>
        <h2>{name}</h2>
        <span className={classes.type}>{record.record_type}</span>
        {!isOwn && <Found record={record} />}
        {!isOwn && (
          <span className="dim">
            {record.is_needed ? 'required' : OPTIONAL.has(record.purpose) ? 'optional' : 'recommended'}
          </span>
        )}
      </header>
      <p className={classes.about}>{about}</p>
      <div className={classes.fields}>
        <CopyField
          label={`${name} name`}
          value={record.name}
          {...(short !== undefined && { description: `Enter ${short} where the provider adds ${zone} itself.` })}
        />
        <CopyField
          label={`${name} value`}
          value={record.priority === undefined ? record.value : `${record.priority} ${record.value}`}
        />
      </div>
      {record.valid === 'invalid' && record.cached.length > 0 && (
        <div className={classes.cached}>
          <span className="label">Current value in DNS</span>
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
  const { canWrite } = useRole('domains');
  const verify = useVerify(domain.name);
  const askDelete = useDeleteDomain(domain.name);
  const records = [...reply.sending_dns_records, ...reply.receiving_dns_records].toSorted(
    (a, b) => ORDER.indexOf(a.purpose) - ORDER.indexOf(b.purpose),
  );
  const found = records.filter(({ valid }) => valid === 'valid').length;
  const isSandbox = domain.type === 'sandbox';
  const zone = useQuery({ ...zoneQuery(domain.name), enabled: !isSandbox }).data?.zone ?? null;
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
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link to="/domains/$domain/tracking" params={{ domain: domain.name }} {...props} />}
        >
          Tracking
        </Button>
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link to="/sending-rules" search={{ domain: domain.name }} {...props} />}
        >
          Sending rules
        </Button>
        {canWrite && !isSandbox && (
          <>
            <Button size="xs" leftSection={<ReloadIcon />} loading={verify.isPending} onClick={() => verify.mutate()}>
              Verify records
            </Button>
            <Button size="xs" variant="default" leftSection={<TrashIcon />} onClick={askDelete}>
              Delete
            </Button>
          </>
        )}
      </PageHead>
      {verify.error && (
        <Alert color="red" mb="lg" title="The records were not verified">
          {sentenceOf(verify.error)}
        </Alert>
      )}
      {isSandbox ? (
        <p className={classes.intro}>
          Sandbox domain, created with your account. Only Galley’s own receivers know its records, so real mailboxes
          will not trust mail from it.
        </p>
      ) : (
        <p className={classes.intro}>
          Add these records at your DNS provider, then verify them. {found} of {records.length} found.{' '}
          {domain.state === 'active'
            ? 'You can send from this domain.'
            : 'The domain is verified as soon as the DKIM record is found. DNS can take some minutes to show new ' +
              'records.'}
        </p>
      )}
      {!isSandbox && domain.state !== 'active' && <DomainZone domain={domain} />}
      <div className={classes.records}>
        {records.map((record) => (
          <RecordCard key={`${record.purpose} ${record.name}`} record={record} isOwn={isSandbox} zone={zone} />
        ))}
      </div>
      {!isSandbox && <DomainKeys domain={domain.name} isAutomatic={domain.use_automatic_sender_security} />}
      {!isSandbox && <DomainCertificate domain={domain} />}
      <Delivery domain={domain.name} />
      <DomainSettings name={domain.name} />
      <DomainGate domain={domain.name} />
      {isSandbox && <SandboxRecipients />}
      <Credentials domain={domain.name} />
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
        title="Domain not found"
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
