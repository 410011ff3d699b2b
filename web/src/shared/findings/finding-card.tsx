import { Button } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { CHECKS } from '../../ground/checks.ts';
import { moreOf, useGrowing } from '../report/growing.tsx';
import { RichText } from '../report/rich-text.tsx';
import { SeverityMark } from '../report/severity.tsx';
import { count } from '../../ground/words.ts';
import { titleOf, type FindingGroup, type Numbered } from './finding-groups.ts';
import classes from './findings.module.css';

/** What one rule says, at first and more at a time: a message may break one in thousands of places. */
const MESSAGES = { first: 4, step: 40 };
const TOLD = { first: 3, step: 40 };
const LINES = { first: 14, step: 100 };
const CLIENTS_SHOWN = 6;

interface FindingCardProps {
  group: FindingGroup;
  selected?: number | undefined;
  /** Shows a place in the message; without it, places are plain text. */
  onChoose?: ((number: number) => void) | undefined;
  /** Stands where the name of the check does. */
  about?: ReactNode;
}

function Clients({ clients }: { clients: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? clients : clients.slice(0, CLIENTS_SHOWN);
  return (
    <p className={classes.clients}>
      <span className={classes.term}>In</span> {shown.join(' · ')}
      {clients.length > shown.length && (
        <>
          {' '}
          ·{' '}
          <button type="button" className={classes.more} onClick={() => setOpen(true)}>
            {clients.length - shown.length} more
          </button>
        </>
      )}
    </p>
  );
}

function Source({ source }: { source: string }) {
  const [, address, rest = ''] = /^(https?:\/\/\S+)(.*)$/.exec(source) ?? [];
  if (!address) return <>{source}</>;
  return (
    <>
      <a href={address} target="_blank" rel="noreferrer">
        {new URL(address).host}
      </a>
      {rest}
    </>
  );
}

/** Only what all members of a group have in common. */
function common<Value>(items: readonly Numbered[], value: (item: Numbered) => Value): Value | undefined {
  const first = value(items[0]!);
  return items.every((item) => JSON.stringify(value(item)) === JSON.stringify(first)) ? first : undefined;
}

interface PlacesProps {
  /** All with the same message. */
  items: Numbered[];
  selected: number | undefined;
  onChoose: ((number: number) => void) | undefined;
}

/** A place where nothing shows it: its line, and what stands there. */
function ToldPlace({ finding: { where } }: Numbered) {
  if (where?.snippet === undefined && where?.line === undefined) return null;
  return (
    <p className={classes.told}>
      {where.line !== undefined && <span className={classes.lineNumber}>line {where.line}</span>}
      {where.snippet && <code>{where.snippet}</code>}
    </p>
  );
}

/** Said once, with the places as words. */
function ToldPlaces({ items }: Pick<PlacesProps, 'items'>) {
  const told = useGrowing(items, TOLD);
  return (
    <>
      <p className={classes.whole}>
        <RichText text={items[0]?.finding.message ?? ''} />
      </p>
      {told.shown.map((item) => (
        <ToldPlace key={item.number} {...item} />
      ))}
      {told.next > 0 && (
        <button type="button" className={classes.lineButton} onClick={told.grow}>
          {moreOf(told)}
        </button>
      )}
    </>
  );
}

/** Said once, with a button for each place. */
function Places({ items, selected, onChoose }: PlacesProps) {
  const lines = useGrowing(items, {
    ...LINES,
    wanted: selected === undefined ? undefined : items.findIndex((item) => item.number === selected),
  });
  const [first] = items;
  if (!first) return null;
  const { number, finding } = first;
  if (!onChoose) return <ToldPlaces items={items} />;
  if (items.length === 1) {
    if (!finding.where)
      return (
        <p id={`finding-${number}`} className={classes.whole}>
          <RichText text={finding.message} />
        </p>
      );
    return (
      <button
        type="button"
        id={`finding-${number}`}
        className={classes.place}
        aria-pressed={selected === number}
        onClick={() => onChoose(number)}
      >
        <span className={classes.message}>
          <RichText text={finding.message} />
        </span>
        {finding.where.line !== undefined && <span className={classes.lineNumber}>line {finding.where.line}</span>}
      </button>
    );
  }
  return (
    <>
      <p className={classes.whole}>
        <RichText text={finding.message} />
      </p>
      <p className={classes.lines}>
        {lines.shown.map((item, place) => (
          <button
            key={item.number}
            type="button"
            id={`finding-${item.number}`}
            className={classes.lineButton}
            aria-pressed={selected === item.number}
            onClick={() => onChoose(item.number)}
          >
            {item.finding.where?.line === undefined ? `place ${place + 1}` : `line ${item.finding.where.line}`}
          </button>
        ))}
        {lines.next > 0 && (
          <button type="button" className={classes.lineButton} onClick={lines.grow}>
            {moreOf(lines)}
          </button>
        )}
      </p>
    </>
  );
}

/** What one rule found, and where. */
export function FindingCard({ group, selected, onChoose, about }: FindingCardProps) {
  const { items, severity, rule, check } = group;
  const messages = useMemo(() => [...Map.groupBy(items, ({ finding }) => finding.message).values()], [items]);
  const wanted =
    selected === undefined ? undefined : messages.findIndex((same) => same.some(({ number }) => number === selected));
  const page = useGrowing(messages, { ...MESSAGES, wanted });
  const { shown } = page;
  const fix = common(items, ({ finding }) => finding.fix);
  const source = common(items, ({ finding }) => finding.source);
  const clients = common(items, ({ finding }) => finding.clients);
  return (
    <article
      className={classes.card}
      data-severity={severity}
      data-on={items.some(({ number }) => number === selected) || undefined}
    >
      <header className={classes.cardHead}>
        <SeverityMark severity={severity} />
        <h3 className={classes.rule}>{titleOf(rule)}</h3>
        {about === undefined ? <span className={classes.check}>{CHECKS[check].name}</span> : about}
        {items.length > 1 && <span className={classes.times}>{count(items.length, 'place')}</span>}
      </header>
      <ul className={classes.places}>
        {shown.map((same, place) => (
          <li key={same[0]?.number}>
            <Places items={same} selected={selected} onChoose={onChoose} />
            {fix === undefined &&
              same[0]?.finding.fix &&
              same[0].finding.fix !== shown[place + 1]?.[0]?.finding.fix && (
                <p className={classes.fix}>
                  <RichText text={same[0].finding.fix} />
                </p>
              )}
          </li>
        ))}
      </ul>
      {page.next > 0 && (
        <Button variant="subtle" size="compact-xs" className={classes.all} onClick={page.grow}>
          Show {moreOf(page)}
        </Button>
      )}
      {fix && (
        <p className={classes.fix}>
          <span className={classes.term}>Fix:</span> <RichText text={fix} />
        </p>
      )}
      {clients && clients.length > 0 && <Clients clients={clients} />}
      {source && (
        <p className={classes.origin}>
          <Source source={source} />
        </p>
      )}
    </article>
  );
}
