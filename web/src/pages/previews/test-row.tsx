import { ActionIcon, Tooltip } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TrashIcon } from '../../brand/icons.tsx';
import { api, pathOf, resultQuery, sentenceOf, testQuery, type TestInfo, type TestSummary } from '../../api.ts';
import { ask, tell } from '../../shell/ask.ts';
import { useRole } from '../../shell/role.ts';
import { count, fromUnix, inUtc, timeOfDay } from '../../words.ts';
import classes from './previews-page.module.css';

/** The client that most readers know stands for the test. */
const FACES = ['gmail_chrome', 'outlookcom_chrome', 'applemail_26', 'ol365'];

function faceOf(test: TestInfo | undefined): string | undefined {
  return FACES.find((id) => test?.completed.includes(id)) ?? test?.completed[0];
}

function Face({ testId, clientId }: { testId: string; clientId: string | undefined }) {
  const { data: result } = useQuery({ ...resultQuery(testId, clientId ?? ''), enabled: clientId !== undefined });
  return <span className={classes.face}>{result?.thumbnail && <img src={pathOf(result.thumbnail)} alt="" loading="lazy" />}</span>;
}

function stateOf({ processing, completed, bounced }: TestInfo): string {
  const total = processing.length + completed.length + bounced.length;
  if (processing.length) return `${total - processing.length} of ${count(total, 'client')} ready`;
  return `${count(total, 'client')}${bounced.length ? `, ${bounced.length} bounced` : ''}`;
}

function useDelete(test: TestSummary): () => void {
  const queries = useQueryClient();
  const remove = async (): Promise<void> => {
    try {
      await api.call('DELETE /v2/preview/tests/{test_id}', { path: { test_id: test.id } });
    } catch (error) {
      tell({ color: 'red', title: 'The test was not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['tests'] });
  };
  return () =>
    ask({
      title: 'Delete this test?',
      text: `“${test.subject}”: its pictures, its exports and its share link are deleted for good.`,
      confirm: 'Delete',
      onConfirm: () => void remove(),
    });
}

/** A test in the list. How far it is, and its face, are asked for when it comes into view. */
export function TestRow({ test }: { test: TestSummary }) {
  const { ref, inViewport } = useInViewport<HTMLLIElement>();
  const { canWrite } = useRole();
  const { data: info } = useQuery({ ...testQuery(test.id), enabled: inViewport, staleTime: 30_000 });
  const askDelete = useDelete(test);
  const made = fromUnix(test.date);
  return (
    <li ref={ref} className={classes.row}>
      <Link to="/previews/$testId" params={{ testId: test.id }} className={classes.open}>
        <Face testId={test.id} clientId={faceOf(info)} />
        <span className={classes.words}>
          <span className={classes.subject}>{test.subject || 'Without a subject'}</span>
          <span className={classes.facts}>
            <time dateTime={made.toISOString()} title={inUtc(made)}>{timeOfDay(made)}</time>
            {info && <span>{stateOf(info)}</span>}
            {info?.reference_id && <span className="mono">{info.reference_id}</span>}
            {info?.customer_id && <span className="mono">{info.customer_id}</span>}
          </span>
        </span>
      </Link>
      {canWrite && (
        <Tooltip label="Delete">
          <ActionIcon aria-label={`Delete ${test.subject}`} onClick={askDelete} className={classes.delete}>
            <TrashIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}
