import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { PartBoundary } from '../../ground/shell/failure.tsx';
import { frameDocument } from './message-frame.ts';
import { MARK } from './place-marks.ts';
import type { Place } from './report-api.ts';
import {
  all,
  attributeOf,
  boxOf,
  childrenOf,
  closest,
  listen,
  nodeTypeOf,
  removeAttribute,
  setAttribute,
} from './unshadowed.ts';
import classes from './viewer.module.css';

const MARGIN_PX = 40;

interface MessageViewProps {
  source: string;
  places: readonly (Place | undefined)[];
  /** Stored copies by address as written; undefined shows the message with images off. */
  pictures: ReadonlyMap<string, string> | undefined;
  /** The number of the place that is shown. */
  selected: number | undefined;
  onPick: (numbers: number[]) => void;
  /** Said when the place that is shown draws nothing, or no longer. */
  onSeen: (isSeen: boolean) => void;
  isPhone: boolean;
  isDark: boolean;
}

/** The attribute of the elements that are shown. */
const SHOWN = 'data-galley-on';

/** The box around a link that holds a picture is as high as a line of text: what it holds is shown instead. */
function boxesOf(view: Window, element: Element): Element[] {
  const children = childrenOf(element).filter((child) => boxOf(child).height > 0);
  const isInline = view.getComputedStyle(element).display === 'inline';
  return isInline && children.length > 0 ? children : [element];
}

/** Brings an element into the middle of its own frame, without moving the page around it. */
function reveal(view: Window, element: Element): boolean {
  const { top, height, width } = boxOf(element);
  if (width === 0 || height === 0) return false;
  const room = view.innerHeight - height;
  view.scrollTo({ top: view.scrollY + top - Math.max(MARGIN_PX, room / 2) });
  return true;
}

/** The message as a browser draws it. No script of it runs, nothing is loaded from its sender, no link leads away. */
export function MessageView(props: MessageViewProps) {
  return (
    <PartBoundary subject={props.source}>
      <DrawnMessage {...props} />
    </PartBoundary>
  );
}

function DrawnMessage({ source, places, pictures, selected, onPick, onSeen, isPhone, isDark }: MessageViewProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [loads, setLoads] = useState(0);
  const [drawn, setDrawn] = useState<string>();
  const html = useMemo(
    () => frameDocument(source, { places, pictures, origin: location.origin }),
    [source, places, pictures],
  );
  const seen = useEffectEvent(onSeen);
  const click = useEffectEvent((event: Event): void => {
    // Links lead nowhere, forms send nothing: a click asks what was found here.
    event.preventDefault();
    const target = event.target as Node;
    const marked = nodeTypeOf(target) === Node.ELEMENT_NODE && closest(target as Element, `[${MARK}]:not(html, body)`);
    if (marked) onPick(attributeOf(marked, MARK)!.split(' ').map(Number));
  });
  useEffect(() => {
    const inside = frame.current?.contentDocument;
    if (!inside || loads === 0) return;
    return listen(inside, ['click', 'auxclick', 'submit'], (event) => click(event));
  }, [loads]);
  useEffect(() => {
    const inside = frame.current?.contentDocument;
    const view = frame.current?.contentWindow;
    if (!inside || !view || loads === 0) return;
    for (const before of all(inside, `[${SHOWN}]`)) removeAttribute(before, SHOWN);
    if (selected === undefined) return seen(true);
    const found = all(inside, `[${MARK}~="${selected}"]`).flatMap((element) => boxesOf(view, element));
    for (const element of found) setAttribute(element, { name: SHOWN, value: '' });
    seen(found.some((element) => reveal(view, element)));
  }, [loads, selected, isPhone, isDark]);
  return (
    <div className={classes.desk}>
      <iframe
        ref={frame}
        className={classes.frame}
        title="The message"
        aria-busy={drawn !== html}
        sandbox="allow-same-origin"
        referrerPolicy="no-referrer"
        srcDoc={html}
        data-phone={isPhone || undefined}
        style={{ colorScheme: isDark ? 'dark' : 'light' }}
        onLoad={() => {
          setLoads((count) => count + 1);
          setDrawn(html);
        }}
      />
    </div>
  );
}
