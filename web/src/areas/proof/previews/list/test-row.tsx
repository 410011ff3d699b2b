import { ActionIcon, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TrashIcon } from '../../../../ground/brand/icons.tsx';
import { api, pathOf, sentenceOf, type TestSummary } from '../../../../ground/api.ts';
import { sizedPicture } from '../../../../shared/pictures/sized-picture.ts';
import { ask, tell } from '../../../../ground/shell/ask.ts';
import { useRole } from '../../../../ground/shell/role.ts';
import { count, fromUnix, inUtc, timeOfDay } from '../../../../ground/words.ts';
import classes from './previews-page.module.css';

/** Pixels that a face is wide, and twice that, as the service makes them. */
const FACE_WIDTHS = [120, 160] as const;

/** The top of the picture in the client that most readers know. */
function Face({ thumbnails }: Pick<TestSummary, 'thumbnails'>) {
  const [first] = thumbnails;
  return (
    <span className={classes.face}>
      {first && (
        <img {...sizedPicture(pathOf(first.url), FACE_WIDTHS)} sizes="48px" alt="" loading="lazy" decoding="async" />
      )}
    </span>
  );
}

function stateOf({ total, processing, bounced }: TestSummary['clients']): string {
  if (processing) return `${total - processing} of ${count(total, 'client')} ready`;
  return `${count(total, 'client')}${bounced ? `, ${bounced} bounced` : ''}`;
}

/** What the checks found, the worst only. */
function foundOf({ errors, warnings }: TestSummary['findings']): string | undefined {
  return errors > 0 ? count(errors, 'error') : warnings > 0 ? count(warnings, 'warning') : undefined;
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
      text: `“${test.name}”: its screenshots, exports and share link are deleted. This cannot be undone.`,
      confirm: 'Delete',
      onConfirm: () => void remove(),
    });
}

/** A test in the list. */
export function TestRow({ test }: { test: TestSummary }) {
  const { canWrite } = useRole();
  const askDelete = useDelete(test);
  const made = fromUnix(test.date);
  const found = foundOf(test.findings);
  return (
    <li className={classes.row}>
      <Link to="/previews/$testId" params={{ testId: test.id }} className={classes.open}>
        <Face thumbnails={test.thumbnails} />
        <span className={classes.words}>
          <span className={classes.subject}>{test.name}</span>
          <span className={classes.facts}>
            <time dateTime={made.toISOString()} title={inUtc(made)}>
              {timeOfDay(made)}
            </time>
            <span>{stateOf(test.clients)}</span>
            {found && <span>{found}</span>}
            {test.reference_id && <span className="mono">{test.reference_id}</span>}
            {test.customer_id && <span className="mono">{test.customer_id}</span>}
          </span>
        </span>
      </Link>
      {canWrite && (
        <Tooltip label="Delete">
          <ActionIcon aria-label={`Delete ${test.name}`} onClick={askDelete} className={classes.delete}>
            <TrashIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}
