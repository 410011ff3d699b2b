import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { frameDocument } from './message-frame.ts';
import { MARK } from './place-marks.ts';
import type { Place } from './report-api.ts';
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

function elementsAt(document: Document, number: number): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[${MARK}~="${number}"]`)];
}

/** The box around a link that holds a picture is as high as a line of text: what it holds is shown instead. */
function boxesOf(element: HTMLElement): Element[] {
  const children = [...element.children].filter((child) => child.getBoundingClientRect().height > 0);
  const isInline = element.ownerDocument.defaultView?.getComputedStyle(element).display === 'inline';
  return isInline && children.length > 0 ? children : [element];
}

/** Brings an element into the middle of its own frame, without moving the page around it. */
function reveal(view: Window, element: Element): boolean {
  const { top, height, width } = element.getBoundingClientRect();
  if (width === 0 || height === 0) return false;
  const room = view.innerHeight - height;
  view.scrollTo({ top: view.scrollY + top - Math.max(MARGIN_PX, room / 2) });
  return true;
}

/** The message as a browser draws it. No script of it runs, nothing is loaded from its sender, no link leads away. */
export function MessageView({ source, places, pictures, selected, onPick, onSeen, isPhone, isDark }: MessageViewProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [loads, setLoads] = useState(0);
  const html = useMemo(() => frameDocument(source, { places, pictures, origin: location.origin }), [source, places, pictures]);
  const seen = useEffectEvent(onSeen);
  const click = useEffectEvent((event: Event): void => {
    // Links lead nowhere, forms send nothing: a click asks what was found here.
    event.preventDefault();
    const marked = (event.target as Element).closest?.(`[${MARK}]:not(html, body)`);
    if (marked) onPick(marked.getAttribute(MARK)!.split(' ').map(Number));
  });
  useEffect(() => {
    const inside = frame.current?.contentDocument;
    if (!inside || loads === 0) return;
    const listen = (event: Event): void => click(event);
    for (const name of ['click', 'auxclick', 'submit']) inside.addEventListener(name, listen);
    return () => {
      for (const name of ['click', 'auxclick', 'submit']) inside.removeEventListener(name, listen);
    };
  }, [loads]);
  useEffect(() => {
    const inside = frame.current?.contentDocument;
    const view = frame.current?.contentWindow;
    if (!inside || !view || loads === 0) return;
    for (const before of inside.querySelectorAll('[data-galley-on]')) before.removeAttribute('data-galley-on');
    if (selected === undefined) return seen(true);
    const found = elementsAt(inside, selected).flatMap(boxesOf);
    for (const element of found) element.setAttribute('data-galley-on', '');
    seen(found.some((element) => reveal(view, element)));
  }, [loads, selected, isPhone, isDark]);
  return (
    <div className={classes.desk}>
      <iframe
        ref={frame}
        className={classes.frame}
        title="The message"
        sandbox="allow-same-origin"
        referrerPolicy="no-referrer"
        srcDoc={html}
        data-phone={isPhone || undefined}
        style={{ colorScheme: isDark ? 'dark' : 'light' }}
        onLoad={() => setLoads((count) => count + 1)}
      />
    </div>
  );
}
