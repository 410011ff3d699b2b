import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actingFor, sentenceOf, subaccountsQuery, type Subaccount } from '../../../ground/api.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { ActionsHead } from '../../../ground/shell/row-actions.tsx';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import { GiveDialog } from './give-dialog.tsx';
import { givenQuery, ipsQuery, type IpPool, type SendingIp } from './ips-api.ts';
import classes from './ips.module.css';

interface Receivers {
  /** Those that are not closed. */
  all: readonly Subaccount[];
  idsOf(ip: string): string[];
  namesOf(ip: string): string[];
  /** Whether somebody who may give addresses can give this one. */
  mayHave(one: SendingIp): boolean;
}

/** The subaccounts of this account, and the addresses that they were given. */
function useReceivers(): Receivers {
  const { canManage } = useRole('ips');
  const isParent = actingFor() === null;
  const { data: subaccounts } = useQuery({ ...subaccountsQuery, enabled: isParent });
  const { data: given = [] } = useQuery({ ...givenQuery, enabled: isParent });
  const all = (subaccounts?.subaccounts ?? []).filter(({ status }) => status !== 'closed');
  const idsOf = (ip: string): string[] => given.filter((one) => one.ip === ip).map((one) => one.subaccount_id);
  return {
    all,
    idsOf,
    namesOf: (ip) => idsOf(ip).map((id) => all.find((one) => one.id === id)?.name ?? id),
    mayHave: (one) => canManage && all.length > 0 && one.dedicated && !one.is_inherited && one.pool_id === null,
  };
}

const DNS_STATES = {
  valid: { label: 'verified', tone: 'good' },
  invalid: { label: 'wrong', tone: 'bad' },
  unknown: { label: 'not checked', tone: undefined },
} as const;

interface IpRowProps {
  one: SendingIp;
  pools: readonly IpPool[];
  /** Names of the subaccounts that were given it. */
  given: readonly string[];
  /** Undefined: it cannot be given to any. */
  onGive: (() => void) | undefined;
}

function IpRow({ one, pools, given, onGive }: IpRowProps) {
  const { label, tone } = DNS_STATES[one.rdns_state];
  const pool = pools.find(({ pool_id: id }) => id === one.pool_id);
  return (
    <tr>
      <td>
        <bdi className={classes.ip}>{one.ip}</bdi>
        {!one.dedicated && <span className={classes.note}>Shared by all accounts</span>}
        {one.is_inherited && <span className={classes.note}>Given by the parent account</span>}
        {given.length > 0 && <span className={classes.note}>Also sends for {given.join(', ')}</span>}
      </td>
      <td>
        <bdi>{one.host_name}</bdi>
      </td>
      <td>
        <Chip tone={tone}>{label}</Chip>
        {one.rdns_fault !== '' && <span className={classes.note}>{one.rdns_fault}</span>}
      </td>
      <td>{pool ? <bdi>{pool.name}</bdi> : one.pool_id === null ? '–' : 'Dynamic pool'}</td>
      <td>{one.enabled ? (one.is_on_warmup ? 'Warming up' : 'In use') : 'No running process has this address'}</td>
      <td className={sendClasses.rowActions}>
        {onGive && (
          <Button
            size="compact-xs"
            variant="default"
            mt={6}
            mr={4}
            aria-label={`Subaccounts of ${one.ip}`}
            onClick={onGive}
          >
            Subaccounts
          </Button>
        )}
      </td>
    </tr>
  );
}

/** The addresses of the account, and which subaccounts send from them, too. */
export function Addresses({ pools }: { pools: readonly IpPool[] }) {
  const { data, error, isPending } = useQuery(ipsQuery);
  const receivers = useReceivers();
  const [giving, setGiving] = useState<string>();
  return (
    <section aria-labelledby="addresses">
      <h2 id="addresses" className={classes.part}>
        Addresses
      </h2>
      {error && (
        <Alert color="red" title="The addresses could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={90} />}
      {data?.total_count === 0 && (
        <p className={classes.empty}>
          No addresses are configured, so the operating system chooses the one that mail leaves from. The operator adds
          addresses with GALLEY_SENDING_IPS.
        </p>
      )}
      {data && data.items.length > 0 && (
        <Sideways label="Addresses, table" minWidth={760}>
          <table className={sendClasses.table}>
            <thead>
              <tr>
                <th scope="col">Address</th>
                <th scope="col">Greets as</th>
                <th scope="col">Reverse DNS</th>
                <th scope="col">Pool</th>
                <th scope="col">State</th>
                <ActionsHead />
              </tr>
            </thead>
            <tbody>
              {data.details.map((one) => (
                <IpRow
                  key={one.ip}
                  one={one}
                  pools={pools}
                  given={receivers.namesOf(one.ip)}
                  onGive={receivers.mayHave(one) ? () => setGiving(one.ip) : undefined}
                />
              ))}
            </tbody>
          </table>
        </Sideways>
      )}
      {giving !== undefined && (
        <GiveDialog
          ip={giving}
          subaccounts={receivers.all}
          given={receivers.idsOf(giving)}
          onClose={() => setGiving(undefined)}
        />
      )}
    </section>
  );
}
