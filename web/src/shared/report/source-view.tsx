import { memo, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import './source-colors.css';
import { count } from '../../ground/words.ts';
import { lengthOf, lineStarts, offsetOf } from './place-marks.ts';
import { plainLines } from './plain-lines.ts';
import type { Place, Severity } from './report-api.ts';
import classes from './viewer.module.css';

export interface LineMark {
  severity: Severity;
  numbers: number[];
}

interface SourceViewProps {
  source: string;
  marks: ReadonlyMap<number, LineMark>;
  selected: Place | undefined;
  onPick: (numbers: number[]) => void;
}

const HIGHLIGHT = 'galley-place';
/** Lines that are drawn only when they come into sight. */
const LINES_PER_BLOCK = 60;
const LINE_PX = 24;

/** The piece of a line's text between two columns, from 0. */
function rangeIn(line: Element, from: number, to: number): Range {
  const range = document.createRange();
  range.selectNodeContents(line);
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let passed = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.nodeValue?.length ?? 0;
    if (from >= passed && from <= passed + length) range.setStart(node, from - passed);
    if (to >= passed && to <= passed + length) {
      range.setEnd(node, to - passed);
      break;
    }
    passed += length;
  }
  return range;
}

function paint(ranges: Range[]): void {
  if (typeof Highlight === 'undefined') return;
  CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
}

interface BlockProps {
  lines: string[];
  first: number;
  marks: ReadonlyMap<number, LineMark>;
  onPick: (numbers: number[]) => void;
}

const Block = memo(function Block({ lines, first, marks, onPick }: BlockProps) {
  return (
    <div className={classes.block} style={{ containIntrinsicHeight: `auto ${lines.length * LINE_PX}px` }}>
      {lines.map((line, place) => {
        const number = first + place;
        const mark = marks.get(number);
        return (
          <div key={number} className={classes.line} data-line={number}>
            {mark ? (
              <button
                type="button"
                className={classes.number}
                data-severity={mark.severity}
                aria-label={`Line ${number}: ${count(mark.numbers.length, 'finding')}`}
                onClick={() => onPick(mark.numbers)}
              >
                {number}
              </button>
            ) : (
              <span className={classes.number} aria-hidden="true">
                {number}
              </span>
            )}
            <code className={classes.code} dangerouslySetInnerHTML={{ __html: line || ' ' }} />
          </div>
        );
      })}
    </div>
  );
});

/** The lines at once; their colors when what paints them is loaded. */
function useLines(source: string): string[] {
  const plain = useMemo(() => plainLines(source), [source]);
  const [colored, setColored] = useState<{ source: string; lines: string[] }>();
  useEffect(() => {
    let isWanted = true;
    // Without colors it can be read as well, so that a failure to load them is nothing to tell.
    void import('./source-lines.ts').then(
      ({ sourceLines }) => isWanted && setColored({ source, lines: sourceLines(source) }),
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [source]);
  return colored?.source === source ? colored.lines : plain;
}

/** The source with its lines, those marked where something was found, and the chosen place painted. */
export function SourceView({ source, marks, selected, onPick }: SourceViewProps) {
  const pane = useRef<HTMLDivElement>(null);
  const lines = useLines(source);
  const starts = useMemo(() => lineStarts(source), [source]);
  const pick = useRef(onPick);
  useEffect(() => {
    pick.current = onPick;
  });
  const stablePick = useMemo(() => (numbers: number[]) => pick.current(numbers), []);
  const show = useEffectEvent((place: Place | undefined) => {
    const box = pane.current;
    const at = place && offsetOf(place, starts);
    if (!box || at === undefined) return paint([]);
    const end = at + lengthOf(source, at, place!);
    const first = starts.findLastIndex((start) => start <= at);
    const ranges: Range[] = [];
    for (let line = first; line < starts.length && (starts[line] ?? 0) < end; line++) {
      const code = box.querySelector(`[data-line="${line + 1}"] code`);
      const start = starts[line] ?? 0;
      const length = code?.textContent.length ?? 0;
      if (code) ranges.push(rangeIn(code, Math.min(length, Math.max(0, at - start)), Math.min(length, end - start)));
    }
    paint(ranges);
    for (const before of box.querySelectorAll('[data-on]')) before.removeAttribute('data-on');
    const line = box.querySelector(`[data-line="${first + 1}"]`);
    line?.setAttribute('data-on', '');
    // Blocks that were not drawn yet have an estimated height, so that the second look is the right one.
    const center = (): void => {
      const top = ranges[0]?.getBoundingClientRect().top ?? line?.getBoundingClientRect().top;
      if (top !== undefined)
        box.scrollTo({ top: box.scrollTop + top - box.getBoundingClientRect().top - box.clientHeight / 3 });
    };
    center();
    requestAnimationFrame(center);
  });
  useEffect(() => {
    show(selected);
    return () => paint([]);
  }, [selected, lines]);
  const blocks = useMemo(
    () =>
      Array.from({ length: Math.ceil(lines.length / LINES_PER_BLOCK) }, (_, block) =>
        lines.slice(block * LINES_PER_BLOCK, (block + 1) * LINES_PER_BLOCK),
      ),
    [lines],
  );
  return (
    <div ref={pane} className={classes.source} tabIndex={0} role="region" aria-label="Source of the message">
      {blocks.map((block, place) => (
        <Block key={place} lines={block} first={place * LINES_PER_BLOCK + 1} marks={marks} onPick={stablePick} />
      ))}
    </div>
  );
}
