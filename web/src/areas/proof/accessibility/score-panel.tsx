import type { AccessibilityReport } from '../../../shared/report/report-api.ts';
import { count } from '../../../ground/words.ts';
import classes from './accessibility-page.module.css';
import { byLevel, byPrinciple, type Row } from './rules.ts';

function Rows({ title, rows }: { title: string; rows: Row[] }) {
  return (
    <table className={classes.rows}>
      <caption>{title}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">Share</th>
          <th scope="col">Passed</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, passes, failures, review }) => {
          const total = passes + failures;
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={classes.barCell}>
                <span className={classes.track} aria-hidden="true">
                  <i data-part="pass" style={{ flexGrow: passes }} />
                  {review > 0 && <i data-part="review" style={{ flexGrow: review }} />}
                  {failures > 0 && <i data-part="fail" style={{ flexGrow: failures }} />}
                </span>
              </td>
              <td className={classes.share}>
                {passes} of {total}
                {review > 0 && <span className="dim"> · {review} to review</span>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** How many checks pass, by level and by principle. */
export function ScorePanel({ report }: { report: AccessibilityReport }) {
  const judged = report.passes.length + report.failures.length;
  return (
    <section className={classes.score} aria-label="Score">
      <p className={classes.headline}>
        <strong>{report.passes.length}</strong>
        <span>
          of {judged} checks pass.
          <br />
          {count(report.failures.length, 'rule fails', 'rules fail')},{' '}
          {count(report.needs_review.length, 'needs', 'need')} review.
        </span>
      </p>
      <Rows title="By level" rows={byLevel(report)} />
      <Rows title="By principle" rows={byPrinciple(report)} />
    </section>
  );
}
