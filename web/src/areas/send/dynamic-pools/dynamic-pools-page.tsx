import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { actingFor, sentenceOf } from '../../../ground/api.ts';
import { PencilIcon, PlusIcon } from '../../../ground/brand/icons.tsx';
import { PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { ModeNote } from '../../../shared/send/mode-note.tsx';
import tables from '../../../shared/send/send.module.css';
import { OverrideDialog, RemoveDialog } from './domain-dialogs.tsx';
import { DomainsTable } from './domains-table.tsx';
import { domainsQuery, historyQuery, poolsQuery, type PooledDomain, type Pools } from './dynamic-pools-api.ts';
import { domainsExport, historyExport } from './dynamic-pools-csv.ts';
import classes from './dynamic-pools.module.css';
import { EnrollDialog } from './enroll-dialog.tsx';
import { HistoryTable } from './history-table.tsx';
import { PoolsDialog } from './pools-dialog.tsx';
import { PoolsTable } from './pools-table.tsx';

interface PartProps<Data> {
  id: string;
  title: string;
  found: { data: Data | undefined; error: Error | null; isPending: boolean };
  action?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** A part of the page, with what is said while it is loaded and when it cannot be. */
function Part<Data>({ id, title, found, action, children }: PartProps<Data>) {
  const { data, error, isPending } = found;
  return (
    <section aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.part}>
          {title}
        </h2>
        {action}
      </div>
      {error && (
        <Alert color="red" title={`${title} could not be loaded`}>
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={90} />}
      {data && children(data)}
    </section>
  );
}

/** How many of a list are shown, where that is not all. */
function Shown({ shown, total }: { shown: number; total: number }) {
  return total > shown ? (
    <p className={classes.empty}>
      {shown} of {total} are shown.
    </p>
  ) : null;
}

type Open = { pools: Pools } | { override: PooledDomain } | { remove: PooledDomain } | 'enroll';

function Dialogs({ open, onClose }: { open: Open | undefined; onClose: () => void }) {
  if (!open) return null;
  if (open === 'enroll') return <EnrollDialog onClose={onClose} />;
  if ('pools' in open) return <PoolsDialog pools={open.pools} onClose={onClose} />;
  if ('override' in open) return <OverrideDialog domain={open.override} onClose={onClose} />;
  return <RemoveDialog domain={open.remove} onClose={onClose} />;
}

/** Pools by reputation, which domains are in them and why, and how they came there. */
export function DynamicPoolsPage() {
  const { canWrite } = useRole('pools');
  const [pools, domains, history] = [useQuery(poolsQuery), useQuery(domainsQuery), useQuery(historyQuery)];
  const [open, setOpen] = useState<Open>();
  const isSetUp = (pools.data?.pools.length ?? 0) > 0;
  const isOwn = !actingFor();
  const mayChange = canWrite && isOwn;
  return (
    <>
      <PageHead
        title="Dynamic pools"
        lead="Domains send from the pool that matches their reputation. Every hour Galley looks at what each sent in the last 7 days and moves it, from 500 messages on."
      >
        <ModeNote />
      </PageHead>
      {isOwn && (
        <Part
          id="pools"
          title="Pools"
          found={pools}
          action={
            mayChange &&
            pools.data && (
              <Button
                size="xs"
                variant="default"
                leftSection={<PencilIcon />}
                onClick={() => setOpen({ pools: pools.data })}
              >
                {isSetUp ? 'Edit addresses' : 'Set up pools'}
              </Button>
            )
          }
        >
          {(data) =>
            isSetUp ? (
              <PoolsTable pools={data} domains={domains.data?.items} />
            ) : (
              <p className={classes.empty}>The pools are not set up yet. Choose the addresses that each sends from.</p>
            )
          }
        </Part>
      )}
      <Part
        id="domains"
        title="Domains"
        found={domains}
        action={
          mayChange &&
          isSetUp && (
            <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={() => setOpen('enroll')}>
              Enroll domains
            </Button>
          )
        }
      >
        {({ items, total_items: total }) =>
          items.length === 0 ? (
            <p className={classes.empty}>No domain is in a dynamic pool.</p>
          ) : (
            <>
              <DomainsTable
                domains={items}
                onMove={mayChange ? (override) => setOpen({ override }) : undefined}
                onRemove={(remove) => setOpen({ remove })}
              />
              <Shown shown={items.length} total={total} />
              <p className={tables.listFile}>
                <CsvButtons of="domains in dynamic pools" size="compact-xs" name="dynamic-pools" {...domainsExport} />
              </p>
            </>
          )
        }
      </Part>
      <Part id="history" title="History" found={history}>
        {({ items, total_items: total }) =>
          items.length === 0 ? (
            <p className={classes.empty}>No domain was moved yet.</p>
          ) : (
            <>
              <HistoryTable moves={items} />
              <Shown shown={items.length} total={total} />
              <p className={tables.listFile}>
                <CsvButtons of="history" size="compact-xs" name="dynamic-pools-history" {...historyExport} />
              </p>
            </>
          )
        }
      </Part>
      <Dialogs open={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
