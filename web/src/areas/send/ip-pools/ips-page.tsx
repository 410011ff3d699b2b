import { Alert, Button, Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { RowActions } from '../../../ground/shell/row-actions.tsx';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import { Addresses } from './addresses.tsx';
import { poolQuery, poolsQuery, type IpPool, type PoolDetails } from './ips-api.ts';
import { ipsExport, poolsExport } from './ips-csv.ts';
import classes from './ips.module.css';
import { PoolDialog } from './pool-dialog.tsx';

/** Asks, then deletes a pool from which nothing is sent. */
function useDeletePool(): (pool: IpPool) => void {
  const queries = useQueryClient();
  const remove = async ({ pool_id: id }: IpPool): Promise<void> => {
    try {
      await api.call('DELETE /v3/ip_pools/{pool_id}', { path: { pool_id: id }, body: {} });
    } catch (error) {
      tell({ color: 'red', title: 'The pool was not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['ips'] });
  };
  return (pool) =>
    ask({
      title: 'Delete this pool?',
      text: `"${pool.name}" is deleted. Its addresses are in no pool then. While something sends from it, it stays.`,
      confirm: 'Delete',
      onConfirm: () => void remove(pool),
    });
}

function PoolRow({ pool, onEdit }: { pool: IpPool; onEdit: ((pool: PoolDetails) => void) | undefined }) {
  const { data } = useQuery(poolQuery(pool.pool_id));
  const askDelete = useDeletePool();
  const domains = data?.linked_domains.map(({ name }) => name) ?? [];
  return (
    <tr>
      <td>
        <bdi>{pool.name}</bdi>
        {pool.description !== '' && <span className={classes.note}>{pool.description}</span>}
        {pool.is_inherited && <span className={classes.note}>Delegated by the parent account</span>}
      </td>
      <td>{pool.ips.length === 0 ? 'None' : <bdi className={classes.ip}>{pool.ips.join(', ')}</bdi>}</td>
      <td>
        {domains.length > 0 && <bdi>{domains.join(', ')}</bdi>}
        {domains.length === 0 && (pool.is_linked ? 'Subaccounts' : 'None')}
      </td>
      <td>
        <code className={classes.ip}>{pool.pool_id}</code>
      </td>
      <td className={sendClasses.rowActions}>
        {onEdit && data && !pool.is_inherited && (
          <RowActions name={pool.name} editLabel="Edit" onEdit={() => onEdit(data)} onDelete={() => askDelete(pool)} />
        )}
      </td>
    </tr>
  );
}

/** The addresses that mail leaves from, and the pools that domains send from. */
export function IpsPage() {
  const { canWrite } = useRole('pools');
  const { data: pools = [], error, isPending } = useQuery(poolsQuery);
  const [edited, setEdited] = useState<{ pool: PoolDetails | undefined }>();
  return (
    <>
      <PageHead
        title="IPs and pools"
        lead="The addresses that your mail leaves from, what reverse DNS says of them, and which domains use which."
      />
      <Addresses pools={pools} />
      <p className={sendClasses.listFile}>
        <CsvButtons of="addresses" size="compact-xs" name="addresses" {...ipsExport(pools)} />
      </p>
      <section aria-labelledby="pools">
        <div className={classes.head}>
          <h2 id="pools" className={classes.part}>
            Pools
          </h2>
          {canWrite && (
            <Button
              size="xs"
              variant="default"
              leftSection={<PlusIcon />}
              onClick={() => setEdited({ pool: undefined })}
            >
              New pool
            </Button>
          )}
        </div>
        {error && (
          <Alert color="red" title="The pools could not be loaded">
            {sentenceOf(error)}
          </Alert>
        )}
        {isPending && <Skeleton height={90} />}
        {!isPending && !error && pools.length === 0 && (
          <p className={classes.empty}>No pools yet. Domains send from the addresses of the account.</p>
        )}
        {pools.length > 0 && (
          <Sideways label="Pools, table" minWidth={760}>
            <table className={sendClasses.table}>
              <thead>
                <tr>
                  <th scope="col">Pool</th>
                  <th scope="col">Addresses</th>
                  <th scope="col">Sends for</th>
                  <th scope="col">ID</th>
                  <th scope="col">
                    <VisuallyHidden>Actions</VisuallyHidden>
                  </th>
                </tr>
              </thead>
              <tbody>
                {pools.map((pool) => (
                  <PoolRow
                    key={pool.pool_id}
                    pool={pool}
                    onEdit={canWrite ? (details) => setEdited({ pool: details }) : undefined}
                  />
                ))}
              </tbody>
            </table>
          </Sideways>
        )}
        {pools.length > 0 && (
          <p className={sendClasses.listFile}>
            <CsvButtons of="pools" size="compact-xs" name="pools" {...poolsExport(pools)} />
          </p>
        )}
      </section>
      {edited && <PoolDialog pool={edited.pool} onClose={() => setEdited(undefined)} />}
    </>
  );
}
