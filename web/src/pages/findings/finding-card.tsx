import { Button } from '@mantine/core';
import { useState } from 'react';
import { CHECKS } from '../../report/checks.ts';
import { RichText } from '../../report/rich-text.tsx';
import { SeverityMark } from '../../report/severity.tsx';
import { count } from '../../words.ts';
import { titleOf, type FindingGroup, type Numbered } from './finding-groups.ts';
import classes from './findings-page.module.css';

const SHOWN = 4;
const CLIENTS_SHOWN = 6;

interface FindingCardProps {
  group: FindingGroup;
  selected: number | undefined;
  onChoose: (number: number) => void;
}

function Clients({ clients }: { clients: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? clients : clients.slice(0, CLIENTS_SHOWN);
  return (
    <p className={classes.clients}>
      <span className={classes.term}>In</span> {shown.join(' · ')}
      {clients.length > shown.length && <> · <button type="button" className={classes.more} onClick={() => setOpen(true)}>{clients.length - shown.length} more</button></>}
    </p>
  );
}

function Source({ source }: { source: string }) {
  const [, address, rest = ''] = /^(https?:\/\/\S+)(.*)$/.exec(source) ?? [];
  if (!address) return <>{source}</>;
  return <><a href={address} target="_blank" rel="noreferrer">{new URL(address).host}</a>{rest}</>;
}

/** Only what all members of a group have in common. */
function common<Value>(items: readonly Numbered[], value: (item: Numbered) => Value): Value | undefined {
  const first = value(items[0]!);
  return items.every((item) => JSON.stringify(value(item)) === JSON.stringify(first)) ? first : undefined;
}

/** What one rule found, and where. */
export function FindingCard({ group, selected, onChoose }: FindingCardProps) {
  const { items, severity, rule, check } = group;
  const [isOpen, setOpen] = useState(false);
  const isSelectedHidden = selected !== undefined && items.findIndex(({ number }) => number === selected) >= SHOWN;
  const shown = isOpen || isSelectedHidden ? items : items.slice(0, SHOWN);
  const fix = common(items, ({ finding }) => finding.fix);
  const source = common(items, ({ finding }) => finding.source);
  const clients = common(items, ({ finding }) => finding.clients);
  return (
    <article className={classes.card} data-severity={severity} data-on={items.some(({ number }) => number === selected) || undefined}>
      <header className={classes.cardHead}>
        <SeverityMark severity={severity} />
        <h3 className={classes.rule}>{titleOf(rule)}</h3>
        <span className={classes.check}>{CHECKS[check].name}</span>
        {items.length > 1 && <span className={classes.times}>{count(items.length, 'place')}</span>}
      </header>
      <ul className={classes.places}>
        {shown.map(({ number, finding }) => (
          <li key={number}>
            {finding.where ? (
              <button type="button" id={`finding-${number}`} className={classes.place} aria-pressed={selected === number} onClick={() => onChoose(number)}>
                <span className={classes.message}><RichText text={finding.message} /></span>
                {finding.where.line !== undefined && <span className={classes.lineNumber}>line {finding.where.line}</span>}
              </button>
            ) : (
              <p id={`finding-${number}`} className={classes.whole}><RichText text={finding.message} /></p>
            )}
            {fix === undefined && finding.fix && <p className={classes.fix}><RichText text={finding.fix} /></p>}
          </li>
        ))}
      </ul>
      {shown.length < items.length && <Button variant="subtle" size="compact-xs" className={classes.all} onClick={() => setOpen(true)}>Show {items.length - shown.length} more</Button>}
      {fix && <p className={classes.fix}><span className={classes.term}>Do</span> <RichText text={fix} /></p>}
      {clients && clients.length > 0 && <Clients clients={clients} />}
      {source && <p className={classes.origin}><Source source={source} /></p>}
    </article>
  );
}
