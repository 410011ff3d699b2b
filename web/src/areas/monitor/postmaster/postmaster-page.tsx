import { Alert, Button, SegmentedControl, Select, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import reportClasses from '../../../shared/report/report.module.css';
import { TabNav } from '../../../shared/report/tab-nav.tsx';
import tables from '../../../shared/send/send.module.css';
import { ConnectDialog } from './connect-dialog.tsx';
import { Connections } from './connections.tsx';
import { DomainFigures } from './domain-figures.tsx';
import { addressesQuery, domainsQuery, LISTED_MAX, type DomainProvider } from './postmaster-api.ts';
import classes from './postmaster.module.css';
import { PROVIDER_LABELS, PROVIDERS, RANGES, type PostmasterSearch, type Provider } from './postmaster-search.ts';
import { SndsFigures } from './snds-figures.tsx';
import { UploadDialog } from './upload-dialog.tsx';

interface PartProps {
  of: string | undefined;
  range: number;
  change: (changes: Pick<PostmasterSearch, 'of' | 'days'>) => void;
}

function Choices({
  label,
  names,
  name,
  range,
  change,
}: Omit<PartProps, 'of'> & { label: string; names: readonly string[]; name: string }) {
  return (
    <div className={tables.search}>
      <Select
        aria-label={label}
        allowDeselect={false}
        searchable
        w={260}
        value={name}
        data={names.includes(name) ? [...names] : [name, ...names]}
        onChange={(value) => value !== null && change({ of: value })}
      />
      <SegmentedControl
        aria-label="Days shown"
        size="xs"
        value={String(range)}
        data={RANGES.map((days) => ({ value: String(days), label: `${days} days` }))}
        onChange={(days) => change({ days: Number(days) })}
      />
    </div>
  );
}

const Nothing = ({ provider }: { provider: Provider }) => (
  <Notice title={`No data of ${PROVIDER_LABELS[provider]} yet`}>
    {provider === 'yahoo'
      ? 'Yahoo documents no interface for its figures: upload an export of its Sender Hub.'
      : 'Connect it, or upload an export.'}
  </Notice>
);

const NotLoaded = ({ error }: { error: unknown }) => (
  <Alert color="red" title="The figures could not be loaded">
    {sentenceOf(error)}
  </Alert>
);

function DomainPart({ provider, of, range, change }: PartProps & { provider: DomainProvider }) {
  const { data, error } = useQuery(domainsQuery(provider));
  if (error) return <NotLoaded error={error} />;
  if (!data) return <Skeleton height={400} />;
  const domain = of ?? data.names[0];
  if (domain === undefined) return <Nothing provider={provider} />;
  return (
    <>
      <Choices label="Domain" names={data.names} name={domain} range={range} change={change} />
      {!data.isAll && (
        <p className={classes.text}>
          The list names the domains of the newest {LISTED_MAX.toLocaleString('en')} records.
        </p>
      )}
      <DomainFigures provider={provider} domain={domain} range={range} />
    </>
  );
}

function SndsPart({ of, range, change }: PartProps) {
  const { data, error } = useQuery(addressesQuery);
  if (error) return <NotLoaded error={error} />;
  if (!data) return <Skeleton height={400} />;
  const names = data.summary.map(({ ip_address: ip }) => ip);
  const ip = of ?? names[0];
  if (ip === undefined) return <Nothing provider="snds" />;
  return (
    <>
      <Choices label="Address" names={names} name={ip} range={range} change={change} />
      <SndsFigures addresses={data.summary} ip={ip} range={range} />
    </>
  );
}

/** What mailbox providers say of the account's mail, beside what Galley itself saw. */
export function PostmasterPage() {
  const search = useSearch({ from: '/shell/postmaster' });
  const navigate = useNavigate();
  const { canWrite } = useRole();
  const [isConnecting, connecting] = useDisclosure();
  const [isUploading, uploading] = useDisclosure();
  const { provider = 'google', of, days: range = RANGES[0] } = search;
  const change: PartProps['change'] = (changes) =>
    void navigate({ to: '/postmaster', search: { ...search, ...changes } });
  return (
    <>
      <PageHead title="Postmaster data" lead="What mailbox providers say of your mail, beside what Galley itself saw.">
        {canWrite && (
          <>
            <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={connecting.open}>
              New connection
            </Button>
            <Button size="xs" variant="default" onClick={uploading.open}>
              Upload an export
            </Button>
          </>
        )}
      </PageHead>
      <Connections onConnect={connecting.open} />
      <div className={classes.tabs}>
        <TabNav label="Providers">
          {PROVIDERS.map((name) => (
            <Link
              key={name}
              to="/postmaster"
              search={{ ...(name !== 'google' && { provider: name }), ...(range !== RANGES[0] && { days: range }) }}
              className={reportClasses.tab}
              activeOptions={{ exact: true }}
              activeProps={{}}
              aria-current={name === provider ? 'page' : undefined}
            >
              {PROVIDER_LABELS[name]}
            </Link>
          ))}
        </TabNav>
      </div>
      {provider === 'snds' ? (
        <SndsPart of={of} range={range} change={change} />
      ) : (
        <DomainPart key={provider} provider={provider} of={of} range={range} change={change} />
      )}
      {isConnecting && <ConnectDialog onClose={connecting.close} />}
      {isUploading && <UploadDialog provider={provider} onClose={uploading.close} />}
    </>
  );
}
