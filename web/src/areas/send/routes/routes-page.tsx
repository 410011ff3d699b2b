import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { RowActions } from '../../../ground/shell/row-actions.tsx';
import { PageNumbers } from '../../../ground/shell/page-numbers.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import classes from '../../../shared/send/send.module.css';
import { ActionList } from './action-list.tsx';
import { readActionWords } from './action-words.ts';
import { conditionWords } from './conditions.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { HowRoutesWork, MxRecord } from './receiving.tsx';
import { RouteDialog } from './route-dialog.tsx';
import { ROUTES_PER_PAGE, routesQuery, type Route } from './routes-api.ts';
import { routesExport } from './routes-csv.ts';
import { TryIt } from './try-it.tsx';

const nameOf = ({ description, expression }: Route): string =>
  (description || (conditionWords(expression) ?? expression)).slice(0, 200);

function useDelete(): (route: Route) => void {
  const queries = useQueryClient();
  const remove = async ({ id }: Route): Promise<void> => {
    try {
      await api.call('DELETE /v3/routes/{id}', { path: { id } });
    } catch (error) {
      tell({ color: 'red', title: 'The route was not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['routes'] });
  };
  return (route) =>
    ask({
      title: 'Delete this route?',
      text: `${nameOf(route)}: it takes no more messages. What it began for earlier ones goes on.`,
      confirm: 'Delete',
      onConfirm: () => void remove(route),
    });
}

interface RowProps {
  route: Route;
  onEdit: (() => void) | undefined;
  onDelete: () => void;
}

function Row({ route, onEdit, onDelete }: RowProps) {
  const words = conditionWords(route.expression);
  return (
    <li className={classes.queued}>
      <div className={classes.what}>
        <bdi className={classes.subject}>{nameOf(route)}</bdi>
        <span className={classes.facts}>
          <Chip>priority {route.priority}</Chip>
          {words !== undefined && route.description !== '' && <span>{words}</span>}
        </span>
        {nameOf(route) !== route.expression && <code className={classes.reply}>{route.expression}</code>}
        <ActionList actions={route.actions.map(readActionWords)} none="Keeps the message" />
      </div>
      {onEdit && (
        <span className={classes.actions}>
          <RowActions name={nameOf(route).slice(0, 80)} editLabel="Edit" onEdit={onEdit} onDelete={onDelete} />
        </span>
      )}
    </li>
  );
}

/** What happens with mail that comes in, and what became of it. */
export function RoutesPage() {
  const { canWrite } = useRole('routes');
  const [page, setPage] = useState(1);
  const { data, error, isPending } = useQuery(routesQuery(page));
  const [edited, setEdited] = useState<{ route?: Route }>();
  const askDelete = useDelete();
  const items = data?.items ?? [];
  const total = data?.total_count ?? 0;
  return (
    <>
      <PageHead title="Routes" lead="Routes say what happens with mail that comes in for your domains.">
        {total > 0 && <CsvButtons of="routes" name="routes" {...routesExport} />}
        {canWrite && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={() => setEdited({})}>
            New route
          </Button>
        )}
      </PageHead>
      {error && (
        <Alert color="red" title="The routes could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={90} />}
      {data && total === 0 && (
        <Notice title="No routes yet" action={canWrite && <Button onClick={() => setEdited({})}>New route</Button>}>
          A route takes messages and posts them to a URL, forwards them, or keeps them.
        </Notice>
      )}
      {data && total === 0 && <MxRecord />}
      {items.length > 0 && (
        <ul className={classes.rows} aria-label="Routes, in the order they are looked at">
          {items.map((route) => (
            <Row
              key={route.id}
              route={route}
              onEdit={canWrite ? () => setEdited({ route }) : undefined}
              onDelete={() => askDelete(route)}
            />
          ))}
        </ul>
      )}
      <PageNumbers label="Pages of routes" page={page} pages={Math.ceil(total / ROUTES_PER_PAGE)} onChange={setPage} />
      <HowRoutesWork withMx={total > 0} />
      {total > 0 && <TryIt />}
      <DeliveryLog />
      {edited && <RouteDialog route={edited.route} onClose={() => setEdited(undefined)} />}
    </>
  );
}
