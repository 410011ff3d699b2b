import { Button } from '@mantine/core';
import { moreOf, useGrowing } from '../../../shared/report/growing.tsx';
import { RichText } from '../../../shared/report/rich-text.tsx';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import { count } from '../../../ground/words.ts';
import findingClasses from '../../../shared/findings/findings.module.css';
import { titleOf } from '../../../shared/findings/finding-groups.ts';
import classes from './accessibility-page.module.css';
import type { ShownRule } from './rules.ts';

const PLACES = { first: 3, step: 40 };

interface RuleCardProps {
  shown: ShownRule;
  selected: number | undefined;
  onChoose: (number: number) => void;
}

/** One rule: what it asks for, by which criterion, and where it is not met. */
export function RuleCard({ shown: { rule, outcome, places }, selected, onChoose }: RuleCardProps) {
  const page = useGrowing(places, {
    ...PLACES,
    wanted: selected === undefined ? undefined : places.findIndex(({ number }) => number === selected),
  });
  const { shown: drawn } = page;
  const severity =
    outcome === 'passes' ? 'pass' : outcome === 'needs_review' ? 'info' : (places[0]?.finding.severity ?? 'warning');
  const fix = places[0]?.finding.fix;
  return (
    <article className={findingClasses.card} data-severity={severity}>
      <header className={findingClasses.cardHead}>
        <SeverityMark severity={severity} />
        <h4 className={findingClasses.rule}>{titleOf(`accessibility/${rule.rule}`)}</h4>
        {rule.impact && outcome !== 'passes' && (
          <span className={classes.impact} data-impact={rule.impact}>
            {rule.impact}
          </span>
        )}
        {places.length > 1 && <span className={findingClasses.times}>{count(places.length, 'place')}</span>}
      </header>
      <p className={classes.description}>
        <RichText text={rule.description} />
      </p>
      <p className={classes.criteria}>{[...rule.standards, ...rule.compliance].join(' · ')}</p>
      {drawn.length > 0 && (
        <ul className={findingClasses.places}>
          {drawn.map(({ number, finding }) => (
            <li key={number}>
              {finding.where ? (
                <button
                  type="button"
                  id={`finding-${number}`}
                  className={findingClasses.place}
                  aria-pressed={selected === number}
                  onClick={() => onChoose(number)}
                >
                  <span className={findingClasses.message}>
                    <RichText text={finding.message} />
                  </span>
                  {finding.where.line !== undefined && (
                    <span className={findingClasses.lineNumber}>line {finding.where.line}</span>
                  )}
                </button>
              ) : (
                <p className={findingClasses.whole}>
                  <RichText text={finding.message} />
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {page.next > 0 && (
        <Button variant="subtle" size="compact-xs" className={findingClasses.all} onClick={page.grow}>
          Show {moreOf(page)}
        </Button>
      )}
      {fix && (
        <p className={findingClasses.fix}>
          <span className={findingClasses.term}>Fix:</span> <RichText text={fix} />
        </p>
      )}
    </article>
  );
}
