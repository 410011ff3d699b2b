import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { spamContentQuery, type FilterReport, type RuleHit, type SpamAnalysis } from '../../../shared/mail/mail-api.ts';
import { MessagePanel, viewOf, type MarkedPlace, type MessagePart } from '../../../shared/mail/message-panel.tsx';
import { points, ScoreBar } from '../../../shared/mail/score-bar.tsx';
import { MeasuredRates } from '../../../shared/mail/measured-rates.tsx';
import { VerdictChip } from '../../../shared/mail/test-state.tsx';
import { MessageBeside, MessageOpener, useMessageSheet } from '../../../shared/report/message-beside.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { RichText } from '../../../shared/report/rich-text.tsx';
import type { Severity } from '../../../shared/report/report-api.ts';
import { SidewaysBar } from '../../../ground/shell/sideways.tsx';
import { useShortcuts } from '../../../ground/shell/shortcuts.ts';
import { FILTER_NAMES } from './spam-facts.ts';
import { count } from '../../../ground/words.ts';
import classes from './spam.module.css';

/** A rule with at least this many points counts as an error. */
const HEAVY_POINTS = 1.5;

interface Hit extends RuleHit {
  engine: string;
  /** Of its places, among all. */
  numbers: number[];
}

function severityOf({ points: value }: RuleHit): Severity {
  if (value <= 0) return 'pass';
  return value >= HEAVY_POINTS ? 'error' : 'warning';
}

function hitsOf(filters: readonly FilterReport[]): { hits: Hit[]; places: MarkedPlace[] } {
  const places: MarkedPlace[] = [];
  const hits = filters.flatMap(({ engine, rules }) =>
    rules.map((rule): Hit => ({
      ...rule,
      engine,
      numbers: rule.places.map((place) => places.push({ ...place, severity: severityOf(rule) }) - 1),
    })),
  );
  return { hits: hits.sort((a, b) => b.points - a.points), places };
}

/** Rules that move the score. */
function counted(rules: readonly RuleHit[]): number {
  return rules.filter(({ points: value }) => value !== 0).length;
}

function Gauge({ filter }: { filter: FilterReport }) {
  const name = FILTER_NAMES[filter.engine] ?? filter.engine;
  return (
    <div className={classes.gauge}>
      <h3>
        {name}
        {filter.version && <span className={classes.version}>{filter.version}</span>}
      </h3>
      {filter.score === null ? (
        <p className={classes.words}>The filter did not answer: {filter.failure}</p>
      ) : (
        <>
          <p className={classes.figure}>
            <strong>{points(filter.score)}</strong>
            {filter.threshold !== null && <span className="dim"> of {points(filter.threshold)} points</span>}
            {filter.verdict && <VerdictChip verdict={filter.verdict} />}
          </p>
          <ScoreBar name={name} score={filter.score} threshold={filter.threshold} isSpam={filter.verdict === 'spam'} />
          {filter.action && <p className={classes.words}>Recommended action: {filter.action}</p>}
          {filter.measured && <MeasuredRates measured={filter.measured} />}
        </>
      )}
    </div>
  );
}

/** What was not asked, and how it would be. */
function MissingFilters({ advice }: { advice: NonNullable<SpamAnalysis['filter_advice']> }) {
  const missing = advice.filter(({ fix }) => fix !== null);
  if (missing.length === 0) return null;
  return (
    <section className={classes.missing} aria-labelledby="missing-filters">
      <h2 id="missing-filters" className={classes.hitsTitle}>
        Filters that are not available
      </h2>
      <ul>
        {missing.map(({ engine, message, fix }) => (
          <li key={engine}>
            <p>{message}</p>
            <p>
              <span className={classes.term}>Fix:</span> {fix}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface HitCardProps {
  hit: Hit;
  places: readonly MarkedPlace[];
  selected: number | undefined;
  onChoose: (number: number) => void;
  hasSeveral: boolean;
}

function placeName({ part, header, line, snippet }: MarkedPlace): string {
  if (snippet && snippet.length <= 42 && !snippet.startsWith('<')) return `“${snippet.trim()}”`;
  if (part === 'header') return header ?? 'header';
  return part === 'subject' ? 'subject' : line === undefined ? part : `line ${line}`;
}

function HitCard({ hit, places, selected, onChoose, hasSeveral }: HitCardProps) {
  return (
    <article
      className={classes.hit}
      data-severity={severityOf(hit)}
      data-on={hit.numbers.includes(selected ?? -1) || undefined}
    >
      <header className={classes.hitHead}>
        <span className={classes.hitPoints}>
          {hit.points > 0 ? '+' : ''}
          {points(hit.points)}
        </span>
        <h3>{hit.description || hit.rule}</h3>
        <span className={classes.rule}>
          {hasSeveral ? `${FILTER_NAMES[hit.engine] ?? hit.engine} · ` : ''}
          {hit.rule}
        </span>
      </header>
      {hit.message && hit.message !== hit.description && (
        <p className={classes.message}>
          <RichText text={hit.message} />
        </p>
      )}
      {hit.numbers.length > 0 && (
        <p className={classes.placesOf}>
          {hit.numbers.map((number) => (
            <button
              key={number}
              id={`finding-${number}`}
              type="button"
              className={classes.place}
              aria-pressed={selected === number}
              onClick={() => onChoose(number)}
            >
              {placeName(places[number]!)}
            </button>
          ))}
        </p>
      )}
      {hit.fix && (
        <p className={classes.message}>
          <span className={classes.term}>Fix:</span> <RichText text={hit.fix} />
        </p>
      )}
      {hit.source && <p className={classes.origin}>{hit.source}</p>}
    </article>
  );
}

/** Which words are shown in the message, and in which view. */
function useShown(places: readonly MarkedPlace[], order: readonly number[]) {
  const [shown, setShown] = useState<{ selected?: number | undefined; view: MessagePart; isOpen: boolean }>({
    view: 'message',
    isOpen: false,
  });
  const choose = (number: number): void =>
    setShown(({ selected, view }) => {
      if (selected === number) return { view, isOpen: false };
      const wanted = viewOf(places[number]!);
      return { selected: number, view: wanted === 'message' && view === 'source' ? view : wanted, isOpen: true };
    });
  const reveal = (number: number): void => {
    choose(number);
    requestAnimationFrame(() => document.getElementById(`finding-${number}`)?.scrollIntoView({ block: 'center' }));
  };
  const pick = (numbers: number[]): void => {
    const visible = order.filter((number) => numbers.includes(number));
    const next = visible[(visible.indexOf(shown.selected ?? -1) + 1) % visible.length];
    if (next !== undefined && next !== shown.selected) reveal(next);
  };
  const step = (by: 1 | -1): void => {
    const next = order[Math.min(order.length - 1, Math.max(0, order.indexOf(shown.selected ?? -1) + by))];
    if (next !== undefined && next !== shown.selected) reveal(next);
  };
  useShortcuts({
    nextPlace: () => step(1),
    placeBefore: () => step(-1),
  });
  return {
    shown,
    choose,
    pick,
    set: (changes: Partial<typeof shown>) => setShown((before) => ({ ...before, ...changes })),
  };
}

/** What every filter says, side by side, and the words that it is about. */
export function FiltersPart({ testId, analysis }: { testId: string; analysis: SpamAnalysis }) {
  const content = useQuery(spamContentQuery(testId));
  const { hits, places } = useMemo(() => hitsOf(analysis.filters), [analysis]);
  const [engine, setEngine] = useState('');
  const [hasAll, setHasAll] = useState(false);
  const ofEngine = hits.filter((hit) => engine === '' || hit.engine === engine);
  // Filters name dozens of rules without points; these are shown only on request.
  const visible = hasAll ? ofEngine : ofEngine.filter((hit) => hit.points !== 0);
  const { shown, choose, pick, set } = useShown(
    places,
    visible.flatMap(({ numbers }) => numbers),
  );
  const close = (): void => set({ isOpen: false, selected: undefined });
  const { isBeside, isSheet } = useMessageSheet({ isOpen: shown.isOpen, selected: shown.selected, onClose: close });
  return (
    <>
      <div className={classes.gauges}>
        {analysis.filters.map((filter) => (
          <Gauge key={filter.engine} filter={filter} />
        ))}
      </div>
      <MissingFilters advice={analysis.filter_advice ?? []} />
      <div className={reportClasses.split} data-sheet={isSheet || undefined}>
        <div className={reportClasses.side}>
          <MessageOpener isBeside={isBeside} isOpen={shown.isOpen} onOpen={() => set({ isOpen: true })} />
          <h2 className={classes.hitsTitle}>
            Rules that matched<span className={reportClasses.sectionNote}>most points first</span>
          </h2>
          {analysis.filters.length > 1 && (
            <SidewaysBar className={classes.engines}>
              <SegmentedControl
                aria-label="Filter"
                value={engine}
                onChange={setEngine}
                data={[
                  { value: '', label: `All ${counted(hits)}` },
                  ...analysis.filters.map((filter) => ({
                    value: filter.engine,
                    label: `${FILTER_NAMES[filter.engine] ?? filter.engine} ${counted(filter.rules)}`,
                  })),
                ]}
              />
            </SidewaysBar>
          )}
          {visible.map((hit, place) => (
            <HitCard
              key={`${hit.engine} ${hit.rule} ${place}`}
              hit={hit}
              places={places}
              selected={shown.selected}
              onChoose={choose}
              hasSeveral={analysis.filters.length > 1}
            />
          ))}
          {visible.length < ofEngine.length && (
            <Button variant="subtle" size="compact-sm" onClick={() => setHasAll(true)}>
              Show {count(ofEngine.length - visible.length, 'rule')} with zero points
            </Button>
          )}
          {visible.length === 0 && <p className={classes.words}>No rule matched.</p>}
        </div>
        <MessageBeside isBeside={isBeside} isOpen={shown.isOpen}>
          <MessagePanel
            content={content.data}
            places={places}
            selected={shown.selected}
            view={shown.view}
            onView={(view) => set({ view })}
            onPick={pick}
            onClose={close}
          />
        </MessageBeside>
      </div>
    </>
  );
}
