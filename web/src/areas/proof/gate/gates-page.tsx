import { ActionIcon, Alert, Button, Skeleton, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, sentenceOf } from '../../../ground/api.ts';
import { PlusIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { ListBar, RowCheck } from '../../../ground/lists/list-bar.tsx';
import { useRows, type Rows } from '../../../ground/lists/use-rows.ts';
import { PER_PAGE } from '../../../shared/mail/mail-api.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { Paging } from '../../../shared/mail/paging.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { gatesQuery, type GateSummary } from './gate-api.ts';
import { GateTabs } from './gate-tabs.tsx';
import classes from './gate.module.css';
import { Tallies, VerdictChip } from './verdict-mark.tsx';

function Why({ reasons: [first, ...others] }: Pick<GateSummary, 'reasons'>) {
  if (first === undefined) return null;
  return (
    <span className={classes.why}>
      {first}
      {others.length > 0 && ` And ${others.length} more.`}
    </span>
  );
}

const deletion = {
  one: 'gate run',
  many: 'gate runs',
  remove: (id: string) => api.call('DELETE /v1/inspect/gate/{id}', { path: { id } }),
  queryKey: ['gates'],
};

function Row({ gate, rows }: { gate: GateSummary; rows: Rows<GateSummary> }) {
  const { id, name } = gate;
  return (
    <li className={mailClasses.row} data-row={id} data-chosen={rows.chosen.has(id) || undefined}>
      <RowCheck rows={rows} id={id} name={name} />
      <Link to="/gate/$gateId" params={{ gateId: gate.id }} className={mailClasses.open}>
        <span>
          <span className={classes.name}>
            <span className={mailClasses.subject}>{name}</span>
            <VerdictChip {...gate} />
          </span>
          <span className={mailClasses.facts}>
            <When at={new Date(gate.created_at)} />
            <Why reasons={gate.reasons} />
          </span>
        </span>
        {gate.counts && <Tallies counts={gate.counts} />}
      </Link>
      {rows.canChoose && (
        <Tooltip label="Delete">
          <ActionIcon className={mailClasses.delete} aria-label={`Delete ${name}`} onClick={() => rows.remove([id])}>
            <TrashIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

/** Earlier gates, newest first. */
export function GatesPage() {
  const { page = 1 } = useSearch({ from: '/shell/gate' });
  const navigate = useNavigate();
  const gates = useQuery(gatesQuery(page));
  const items = gates.data?.items ?? [];
  const { canWrite } = useRole();
  const rows = useRows({ items, idOf: ({ id }) => id, deletion: canWrite ? deletion : undefined });
  const isEmpty = gates.data && items.length === 0;
  return (
    <>
      <PageHead
        title="Gate"
        lead={
          'Runs every check on an email and passes or fails it by your policy. Screenshots are compared with the ' +
          'ones that you approved.'
        }
      />
      <GateTabs />
      <div className={reportClasses.body}>
        {gates.error && (
          <Alert color="red" title="The gates could not be loaded">
            {sentenceOf(gates.error)}
          </Alert>
        )}
        {gates.isPending && <Skeleton height={110} />}
        {isEmpty && page === 1 && (
          <Notice
            title="Check an email before you send it"
            action={
              <Button leftSection={<PlusIcon />} renderRoot={(props) => <Link to="/gate/new" {...props} />}>
                Run the gate
              </Button>
            }
          >
            The gate checks code, links, images, accessibility and screenshots in one run, and your policy decides what
            fails. Run the same gate in your build with <span className="code">galley check</span>.
          </Notice>
        )}
        {isEmpty && page > 1 && (
          <Notice
            title="No more runs"
            action={
              <Button variant="default" renderRoot={(props) => <Link to="/gate" search={{}} {...props} />}>
                Newest runs
              </Button>
            }
          />
        )}
        {items.length > 0 && (
          <>
            <ListBar rows={rows} one="gate run" total={gates.data?.meta.count} />
            <ul ref={rows.list} className={mailClasses.rows} aria-label="Gate runs">
              {rows.shown.map((gate) => (
                <Row key={gate.id} gate={gate} rows={rows} />
              ))}
            </ul>
          </>
        )}
        {gates.data && (
          <Paging
            page={page}
            hasNext={page * PER_PAGE < gates.data.meta.count}
            onPage={(next) => void navigate({ to: '/gate', search: next > 1 ? { page: next } : {} })}
          />
        )}
      </div>
    </>
  );
}
