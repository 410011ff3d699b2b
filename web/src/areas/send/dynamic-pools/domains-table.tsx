import { Button, Group, VisuallyHidden } from '@mantine/core';
import { api, sentenceOf } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { tell } from '../../../ground/shell/ask.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { Ago } from '../../../ground/shell/when.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import { bandOf, percent, useRenew, type PooledDomain } from './dynamic-pools-api.ts';
import classes from './dynamic-pools.module.css';

interface TableProps {
  domains: readonly PooledDomain[];
  /** Undefined: this role may only look. */
  onMove: ((domain: PooledDomain) => void) | undefined;
  onRemove: (domain: PooledDomain) => void;
}

function useRelease(): (domain: PooledDomain) => void {
  const renew = useRenew();
  const release = async ({ name }: PooledDomain): Promise<void> => {
    try {
      await api.call('DELETE /v1/dynamic_pools/domains/{name}/override', { path: { name } });
      announce(`Checks decide on ${name} again`);
    } catch (error) {
      tell({ color: 'red', title: 'The override was not removed', message: sentenceOf(error) });
    }
    await renew();
  };
  return (domain) => void release(domain);
}

function Actions({ domain, onMove, onRemove }: { domain: PooledDomain } & Omit<TableProps, 'domains'>) {
  const release = useRelease();
  if (!onMove) return null;
  const button = (label: string, act: (domain: PooledDomain) => void) => (
    <Button size="compact-xs" variant="default" aria-label={`${label}: ${domain.name}`} onClick={() => act(domain)}>
      {label}
    </Button>
  );
  return (
    <Group gap={6} wrap="nowrap">
      {domain.override ? button('End override', release) : button('Override', onMove)}
      {button('Remove', onRemove)}
    </Group>
  );
}

/** Enrolled domains with what the last check found. */
export function DomainsTable({ domains, onMove, onRemove }: TableProps) {
  return (
    <Sideways label="Domains, table" minWidth={1040}>
      <table className={sendClasses.table}>
        <thead>
          <tr>
            <th scope="col">Domain</th>
            <th scope="col">Pool</th>
            <th scope="col">Hard bounces</th>
            <th scope="col">Complaints</th>
            <th scope="col">Sent in 7 days</th>
            <th scope="col">Last check</th>
            <th scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {domains.map((domain) => (
            <tr key={domain.id}>
              <td className={classes.name}>
                <bdi>{domain.name}</bdi>
                <span className={classes.whose}>{domain.account_name}</span>
              </td>
              <td>
                <Chip tone={bandOf(domain.pool)?.tone}>{bandOf(domain.pool)?.label ?? domain.pool}</Chip>
                {domain.override && <span className={classes.whose}>by hand</span>}
              </td>
              <td className={classes.number}>{percent(domain.bounce_rate)}</td>
              <td className={classes.number}>{percent(domain.complaint_rate)}</td>
              <td className={classes.number}>{(domain.processed_count ?? 0).toLocaleString('en-US')}</td>
              <td className={classes.why}>
                {domain.reason} <span className={classes.dim}>Checked </span>
                <Ago at={new Date(domain.checked_at)} />
              </td>
              <td>
                <Actions domain={domain} onMove={onMove} onRemove={onRemove} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}
