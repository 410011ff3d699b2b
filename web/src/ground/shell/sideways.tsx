import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import classes from './sideways.module.css';

/** Pixels that rounding makes. */
const SLACK_PX = 2;

/** On which sides something lies beyond the edge: `right`, `left`, `left right`, or nothing. */
export function useBeyond(box: RefObject<HTMLElement | null>): string | undefined {
  const [beyond, setBeyond] = useState<string>();
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = (): void => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const sides = [
        scrollLeft > SLACK_PX && 'left',
        scrollLeft + clientWidth < scrollWidth - SLACK_PX && 'right',
      ].filter(Boolean);
      setBeyond(sides.join(' ') || undefined);
    };
    const watching = new ResizeObserver(look);
    watching.observe(element);
    for (const child of element.children) watching.observe(child);
    element.addEventListener('scroll', look, { passive: true });
    look();
    return () => (watching.disconnect(), element.removeEventListener('scroll', look));
  }, [box]);
  return beyond;
}

interface SidewaysProps {
  label: string;
  /** Narrower than this its columns do not get. */
  minWidth?: number;
  className?: string | undefined;
  children: ReactNode;
}

/** A table that is scrolled sideways where it has no room, and says on which side it goes on. */
export function Sideways({ label, minWidth, className, children }: SidewaysProps) {
  const box = useRef<HTMLDivElement>(null);
  const beyond = useBeyond(box);
  return (
    <div className={classes.sideways}>
      {beyond && (
        <p className={classes.hint} aria-hidden="true">
          <span>{beyond.includes('left') && '← Scroll left'}</span>
          <span>{beyond.includes('right') && 'Scroll right →'}</span>
        </p>
      )}
      <div
        ref={box}
        className={[classes.box, className].filter(Boolean).join(' ')}
        data-beyond={beyond}
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <div style={{ minWidth }}>{children}</div>
      </div>
    </div>
  );
}

/** A row of choices that is scrolled sideways where it has no room: it fades where it goes on. */
export function SidewaysBar({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const beyond = useBeyond(box);
  return (
    <div ref={box} className={[classes.bar, className].filter(Boolean).join(' ')} data-beyond={beyond}>
      {children}
    </div>
  );
}
