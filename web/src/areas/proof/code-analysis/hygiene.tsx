import { RichText } from '../../../shared/report/rich-text.tsx';
import type { Analysis, Finding } from '../../../shared/report/report-api.ts';
import reportClasses from '../../../shared/report/report.module.css';
import { ShowMore, useGrowing } from '../../../shared/report/growing.tsx';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import { SEVERITY_ORDER } from '../../../shared/report/severity-order.ts';
import { titleOf } from '../../../shared/findings/finding-groups.ts';
import classes from './code-page.module.css';

/** Where Gmail cuts a message. */
const CLIPPED_BYTES = 102 * 1024;

const ITEMS = { first: 40, step: 100 };

export interface HygieneItem {
  number: number;
  finding: Pick<Finding, 'rule' | 'severity' | 'message' | 'fix' | 'where'>;
}

interface HygieneProps {
  items: HygieneItem[];
  analysis: Analysis;
  selected: number | undefined;
  onChoose: (number: number) => void;
}

function SizeMeter({ bytes }: { bytes: number }) {
  const share = bytes / CLIPPED_BYTES;
  return (
    <div className={classes.meter}>
      <span className={classes.meterWords}>
        <strong>{(bytes / 1024).toFixed(1)} KB</strong> of the 102 KB that Gmail shows
        {share > 1 && ': Gmail clips the message'}
      </span>
      <span
        className={classes.meterTrack}
        role="meter"
        aria-label="Size of the HTML"
        aria-valuemin={0}
        aria-valuemax={102}
        aria-valuenow={Math.round(bytes / 1024)}
      >
        <i
          data-state={share > 1 ? 'over' : share > 0.85 ? 'near' : undefined}
          style={{ width: `${Math.min(100, share * 100)}%` }}
        />
      </span>
    </div>
  );
}

/** What no table of support covers: size, merge tags, document, text part. */
export function Hygiene({ items, analysis, selected, onChoose }: HygieneProps) {
  const wrong = items
    .filter(({ finding }) => finding.severity !== 'pass')
    .toSorted((a, b) => SEVERITY_ORDER[a.finding.severity] - SEVERITY_ORDER[b.finding.severity]);
  const passed = items.filter(({ finding }) => finding.severity === 'pass');
  const page = useGrowing(wrong, {
    ...ITEMS,
    wanted: selected === undefined ? undefined : wrong.findIndex(({ number }) => number === selected),
  });
  const { source_bytes: bytes } = analysis.items;
  return (
    <section aria-label="Hygiene">
      <h3 className={reportClasses.sectionTitle}>Hygiene</h3>
      {bytes !== undefined && <SizeMeter bytes={bytes} />}
      <ul className={classes.hygiene}>
        {page.shown.map(({ number, finding }) => (
          <li key={number}>
            <SeverityMark severity={finding.severity} />
            <span>
              <RichText text={finding.message} />{' '}
              {finding.where?.line !== undefined && (
                <button
                  type="button"
                  id={`finding-${number}`}
                  className={reportClasses.placeButton}
                  aria-pressed={selected === number}
                  onClick={() => onChoose(number)}
                >
                  line {finding.where.line}
                </button>
              )}
              {finding.fix && (
                <span className={classes.small}>
                  <RichText text={finding.fix} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <ShowMore page={page} noun="finding" />
      {passed.length > 0 && (
        <details className={classes.passed}>
          <summary>{passed.length} passed</summary>
          <ul>
            {passed.map(({ number, finding }) => (
              <li key={number}>
                <strong>{titleOf(finding.rule)}</strong> {finding.message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
