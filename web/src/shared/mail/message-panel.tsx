import { ActionIcon, Loader, SegmentedControl } from '@mantine/core';
import { Suspense, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { CloseIcon } from '../../ground/brand/icons.tsx';
import { MessageView } from '../report/message-view.tsx';
import type { Place, Severity } from '../report/report-api.ts';
import type { LineMark } from '../report/source-view.tsx';
import viewerClasses from '../report/viewer.module.css';
import { laterPart } from '../../ground/shell/later-part.tsx';
import type { SpamContent } from './mail-api.ts';
import classes from './mail.module.css';
import { markWords } from './mark-words.ts';

const SourceView = laterPart(async () => (await import('../report/source-view.tsx')).SourceView);

export type MessagePart = 'message' | 'source' | 'text' | 'headers';

/** Words that a rule is about; `part` as the service names it. */
export interface MarkedPlace {
  part: string;
  header?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  offset?: number | undefined;
  length?: number | undefined;
  snippet?: string | undefined;
  selector?: string | undefined;
  severity: Severity;
}

/** The view that shows a place best. */
export function viewOf({ part }: Pick<MarkedPlace, 'part'>): MessagePart {
  if (part === 'text') return 'text';
  return part === 'header' || part === 'subject' ? 'headers' : 'message';
}

function headerOf({ part, header }: MarkedPlace): string | undefined {
  return part === 'subject' ? 'subject' : header?.toLowerCase();
}

interface HeadersProps {
  content: SpamContent;
  places: readonly MarkedPlace[];
  selected: number | undefined;
}

function Headers({ content, places, selected }: HeadersProps) {
  const list = useRef<HTMLDListElement>(null);
  const hit = new Set(places.map(headerOf));
  const chosen = selected === undefined ? undefined : places[selected] && headerOf(places[selected]);
  useEffect(() => {
    list.current?.querySelector('[data-on]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <dl ref={list} className={classes.headers} tabIndex={0} aria-label="Headers of the message">
      {content.headers.map(({ name, value }, place) => (
        <div
          key={place}
          className={classes.header}
          data-hit={hit.has(name.toLowerCase()) || undefined}
          data-on={name.toLowerCase() === chosen || undefined}
        >
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface TextProps {
  text: string;
  places: readonly MarkedPlace[];
  selected: number | undefined;
  onPick: (numbers: number[]) => void;
}

function TextPart({ text, places, selected, onPick }: TextProps) {
  const box = useRef<HTMLPreElement>(null);
  const marks = places
    .flatMap(({ part, offset, length = 1 }, number) =>
      part === 'text' && offset !== undefined ? [{ number, from: offset, to: offset + length }] : [],
    )
    .sort((a, b) => a.from - b.from);
  useEffect(() => {
    box.current?.querySelector('[data-on]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { number, from, to } of marks) {
    if (from < at) continue;
    const same = marks.filter((mark) => mark.from < to && mark.to > from).map((mark) => mark.number);
    parts.push(
      text.slice(at, from),
      <mark key={number} data-on={same.includes(selected ?? -1) || undefined} onClick={() => onPick(same)}>
        {text.slice(from, to)}
      </mark>,
    );
    at = to;
  }
  return (
    <pre ref={box} className={classes.text} tabIndex={0} aria-label="Text part of the message">
      {parts}
      {text.slice(at)}
    </pre>
  );
}

/** The exact words, for the source: what stands there from the place on. */
function inSource(
  html: string,
  { part, line, column, offset, length, snippet, selector }: MarkedPlace,
): Place | undefined {
  if (part !== 'html' || (offset === undefined && line === undefined)) return undefined;
  const words = offset !== undefined && length ? html.slice(offset, offset + length) : snippet;
  return { line, column, offset, selector, snippet: words } as Place;
}

function marksOf(places: readonly MarkedPlace[]): Map<number, LineMark> {
  const marks = new Map<number, LineMark>();
  places.forEach(({ part, line, severity }, number) => {
    if (part !== 'html' || line === undefined) return;
    const known = marks.get(line);
    if (known) known.numbers.push(number);
    else marks.set(line, { severity, numbers: [number] });
  });
  return marks;
}

interface MessagePanelProps {
  content: SpamContent | undefined;
  places: readonly MarkedPlace[];
  selected: number | undefined;
  view: MessagePart;
  onView: (view: MessagePart) => void;
  onPick: (numbers: number[]) => void;
  /** Where it can be closed, on a narrow screen. */
  onClose?: (() => void) | undefined;
}

const NOTHING = (): void => undefined;

/** The message, with the words marked that rules are about. */
export function MessagePanel({ content, places, selected, view, onView, onPick, onClose }: MessagePanelProps) {
  const html = content?.html ?? null;
  const marked = useMemo(
    () =>
      html === null
        ? ''
        : markWords(
            html,
            places.map((place) => (place.part === 'html' ? place : undefined)),
          ),
    [html, places],
  );
  // Words are marked already; what has no place in characters may still be found by its selector.
  const bySelector = useMemo(
    () =>
      places.map(({ part, offset, selector }) =>
        part === 'html' && offset === undefined && selector ? ({ selector } as Place) : undefined,
      ),
    [places],
  );
  const marks = useMemo(() => marksOf(places), [places]);
  const chosen = useMemo(
    () => (html === null || selected === undefined || !places[selected] ? undefined : inSource(html, places[selected])),
    [html, places, selected],
  );
  const views = [
    ...(html === null
      ? []
      : [
          { value: 'message', label: 'Message' },
          { value: 'source', label: 'Source' },
        ]),
    ...(content?.text == null ? [] : [{ value: 'text', label: 'Text' }]),
    { value: 'headers', label: 'Headers' },
  ];
  const shown = views.some(({ value }) => value === view) ? view : (views[0]?.value as MessagePart);
  return (
    <section className={viewerClasses.viewer} aria-label="The message">
      <div className={viewerClasses.bar}>
        <SegmentedControl
          aria-label="View"
          value={shown}
          onChange={(value) => onView(value as MessagePart)}
          data={views}
        />
        {onClose && (
          <span className={viewerClasses.barEnd}>
            <ActionIcon className={viewerClasses.close} size={28} aria-label="Close message" onClick={onClose}>
              <CloseIcon />
            </ActionIcon>
          </span>
        )}
      </div>
      {!content && <Loader size="sm" m="xl" aria-label="Loading the message" />}
      {content && html !== null && shown === 'message' && (
        <MessageView
          source={marked}
          places={bySelector}
          pictures={undefined}
          selected={selected}
          onPick={onPick}
          onSeen={NOTHING}
          isPhone={false}
          isDark={false}
        />
      )}
      {content && html !== null && shown === 'source' && (
        <Suspense fallback={<Loader size="sm" m="xl" aria-label="Loading the source" />}>
          <SourceView source={html} marks={marks} selected={chosen} onPick={onPick} />
        </Suspense>
      )}
      {content?.text != null && shown === 'text' && (
        <TextPart text={content.text} places={places} selected={selected} onPick={onPick} />
      )}
      {content && shown === 'headers' && <Headers content={content} places={places} selected={selected} />}
    </section>
  );
}
