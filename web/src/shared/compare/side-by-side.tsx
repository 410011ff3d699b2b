import { useRef } from 'react';
import { ZoomPane } from '../pictures/zoom-pane.tsx';
import classes from './compare.module.css';
import type { CompareViewProps, Side } from './pair.ts';

function scrollShare(element: HTMLElement): { x: number; y: number } {
  const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = element;
  return {
    x: scrollLeft / Math.max(1, scrollWidth - clientWidth),
    y: scrollTop / Math.max(1, scrollHeight - clientHeight),
  };
}

/** Scrolling one moves the other by the same share of its height. */
function useTogether() {
  const panes = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)] as const;
  const led = useRef<HTMLElement | null>(null);
  const follow = (from: 0 | 1) => (): void => {
    const [leader, follower] = [panes[from].current, panes[from === 0 ? 1 : 0].current];
    if (!leader || !follower) return;
    if (led.current === leader) {
      led.current = null;
      return;
    }
    const { x, y } = scrollShare(leader);
    const top = Math.round(y * (follower.scrollHeight - follower.clientHeight));
    const left = Math.round(x * (follower.scrollWidth - follower.clientWidth));
    if (Math.abs(follower.scrollTop - top) < 1 && Math.abs(follower.scrollLeft - left) < 1) return;
    led.current = follower;
    follower.scrollTo({ top, left, behavior: 'instant' });
  };
  return { panes, follow };
}

function Picture({ side }: { side: Side }) {
  return <img src={side.url} alt={side.alt} draggable={false} />;
}

export function SideBySide({ pair, zoom, onZoom }: CompareViewProps) {
  const { panes, follow } = useTogether();
  return (
    <div className={classes.two}>
      {[pair.a, pair.b].map((side, place) => (
        <figure key={place} className={classes.side}>
          <figcaption className={classes.caption}>
            <strong>{side.name}</strong>
            <span>
              {side.width} × {side.height}
            </span>
          </figcaption>
          <ZoomPane
            ref={panes[place as 0 | 1]}
            label={side.name}
            picture={side}
            zoom={zoom}
            onZoom={onZoom}
            onScroll={follow(place as 0 | 1)}
          >
            <Picture side={side} />
          </ZoomPane>
        </figure>
      ))}
    </div>
  );
}
