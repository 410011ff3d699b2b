// How many messages leave in an hour or a day, and how many have.
import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { announce } from '../../../ground/shell/announce.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Notice } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { ActionsHead } from '../../../ground/shell/row-actions.tsx';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { figure } from '../../../ground/words.ts';
import { ActionsCell } from '../../../shared/send/actions-cell.tsx';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import { SendingLimitDialog } from './limit-dialog.tsx';
import { limitsExport, limitWords, whoseWords } from './limits-words.ts';
import { limitsQuery, type Limit } from './rules-api.ts';
import classes from './rules.module.css';

function useDelete(): (limit: Limit) => void {
  const queries = useQueryClient();
  const remove = async ({ id }: Limit): Promise<void> => {
    try {
      announce((await api.call('DELETE /v1/galley/sending_limits/{limit_id}', { path: { limit_id: id } })).message);
    } catch (error) {
      tell({ color: 'red', title: 'The limit was not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: limitsQuery.queryKey });
  };
  return (limit) =>
    ask({
      title: 'Delete this limit?',
      text: `${whoseWords(limit)}: ${limitWords(limit)}. What waits for it is sent, if nothing else holds it back.`,
      confirm: 'Delete',
      onConfirm: () => void remove(limit),
    });
}

function Used({ limit: { used, max } }: { limit: Limit }) {
  const share = Math.min(1, used / max);
  return (
    <div className={classes.use}>
      <span>
        {figure(used)} of {figure(max)}
        {share >= 1 && ', used up'}
      </span>
      <span className={classes.meter} data-full={share >= 1 || undefined} aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  );
}

function Table({ limits, onEdit }: { limits: readonly Limit[]; onEdit: ((limit: Limit) => void) | undefined }) {
  const askDelete = useDelete();
  return (
    <Sideways label="Sending limits, table" minWidth={620}>
      <table className={sendClasses.table}>
        <thead>
          <tr>
            <th scope="col">What is counted</th>
            <th scope="col">Limit</th>
            <th scope="col">Used now</th>
            <th scope="col">Resets</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {limits.map((limit) => (
            <tr key={limit.id}>
              <td>
                <bdi>{whoseWords(limit)}</bdi>
              </td>
              <td className={sendClasses.number}>{limitWords(limit)}</td>
              <td className={sendClasses.number}>
                <Used limit={limit} />
              </td>
              <td className={sendClasses.number}>
                <When at={new Date(limit.resets_at)} />
              </td>
              <ActionsCell
                name={`${whoseWords(limit)}, ${limitWords(limit)}`}
                editLabel="Change"
                onEdit={onEdit && (() => onEdit(limit))}
                onDelete={() => askDelete(limit)}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

/** The limits of the account. */
export function LimitsPart() {
  const { canWrite } = useRole('domains');
  const { data, error } = useQuery(limitsQuery);
  const [edited, setEdited] = useState<{ limit: Limit | undefined }>();
  return (
    <>
      <p className={classes.about}>
        A message over a limit is not refused: it waits for the next hour or day, and the queue says until when. Limits
        are exact over all processes that send.
      </p>
      <div className={classes.toolbar}>
        {canWrite && (
          <Button size="xs" leftSection={<PlusIcon />} onClick={() => setEdited({ limit: undefined })}>
            Add limit
          </Button>
        )}
        {data && data.items.length > 0 && (
          <CsvButtons of="sending limits" name="sending-limits" {...limitsExport(data.items)} />
        )}
      </div>
      {error && (
        <Alert color="red" mb="md" title="The limits could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {!data && !error && <Skeleton height={120} />}
      {data?.items.length === 0 && (
        <Notice title="No sending limits">Messages leave as fast as receivers take them.</Notice>
      )}
      {data && data.items.length > 0 && (
        <Table limits={data.items} onEdit={canWrite ? (limit) => setEdited({ limit }) : undefined} />
      )}
      {edited && <SendingLimitDialog limit={edited.limit} onClose={() => setEdited(undefined)} />}
    </>
  );
}
