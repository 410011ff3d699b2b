import type { Analysis } from '../../../shared/report/report-api.ts';
import reportClasses from '../../../shared/report/report.module.css';
import classes from './code-page.module.css';
import { calendarDay } from '../../../ground/words.ts';

type Row = NonNullable<Analysis['items']['inbox']>[number];

/** The subject of the test, cut as the client cuts it, where the source has none of its own. */
function subjectIn({ subject, limits }: Row, title: string): { shown: string; is_cut?: boolean } {
  if (subject.shown !== '' || title === '' || limits.subject === undefined) return subject;
  const characters = [...title];
  return characters.length > limits.subject
    ? { shown: characters.slice(0, limits.subject).join('').trimEnd(), is_cut: true }
    : { shown: title, is_cut: false };
}

/** How the message stands in the list of each client. */
export function InboxRows({ rows, title }: { rows: Row[]; title: string }) {
  if (rows.length === 0) return null;
  return (
    <section aria-label="Inbox preview">
      <h3 className={reportClasses.sectionTitle}>
        Inbox preview{' '}
        <span className={reportClasses.sectionNote}>subject and preview text as each client truncates them</span>
      </h3>
      <ul className={classes.inbox}>
        {rows.map((row) => {
          const subject = subjectIn(row, title);
          return (
            <li key={row.client}>
              <span className={classes.inboxClient}>{row.name}</span>
              <span className={classes.inboxText}>
                <strong>
                  {subject.shown || '(no subject)'}
                  {subject.is_cut && !subject.shown.endsWith('…') && '…'}
                </strong>{' '}
                {row.preview ? (
                  <span className={classes.inboxPreview}>
                    {row.preview.shown.slice(
                      0,
                      row.preview.shown.length -
                        (row.preview.shown.endsWith(row.preview.body_text) ? row.preview.body_text.length : 0),
                    )}
                    {row.preview.body_text && row.preview.shown.endsWith(row.preview.body_text) && (
                      <span className={classes.inboxBody}>{row.preview.body_text}</span>
                    )}
                    {row.preview.is_cut && !row.preview.shown.endsWith('…') && '…'}
                  </span>
                ) : (
                  <span className={classes.inboxPreview}>shows no preview text</span>
                )}
              </span>
              <span className={classes.inboxLimit} title={`${row.source.what}, ${calendarDay(row.source.date)}`}>
                {row.limits.subject ?? '?'} + {row.limits.preview ?? '?'}
              </span>
            </li>
          );
        })}
      </ul>
      <p className={classes.legend}>
        <span>
          <span className={classes.inboxBody}>underlined</span> text from the body that follows the preheader
        </span>
        <span>the numbers are the characters that each client shows, ? where that is not known</span>
      </p>
    </section>
  );
}
