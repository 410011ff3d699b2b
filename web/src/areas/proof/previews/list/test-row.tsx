import { ActionIcon, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { TrashIcon } from '../../../../ground/brand/icons.tsx';
import { pathOf, type TestSummary } from '../../../../ground/api.ts';
import { sizedPicture } from '../../../../shared/pictures/sized-picture.ts';
import { RowCheck } from '../../../../ground/lists/list-bar.tsx';
import type { Rows } from '../../../../ground/lists/use-rows.ts';
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

/** A test in the list. */
export function TestRow({ test, rows }: { test: TestSummary; rows: Rows<TestSummary> }) {
  const { id } = test;
  const made = fromUnix(test.date);
  const found = foundOf(test.findings);
  return (
    <li className={classes.row} data-row={id} data-chosen={rows.chosen.has(id) || undefined}>
      <RowCheck rows={rows} id={id} name={test.name} />
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
      {rows.canChoose && (
        <Tooltip label="Delete">
          <ActionIcon aria-label={`Delete ${test.name}`} onClick={() => rows.remove([id])} className={classes.delete}>
            <TrashIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}
