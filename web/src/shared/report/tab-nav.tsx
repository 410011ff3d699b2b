import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useBeyond } from '../../ground/shell/sideways.tsx';
import classes from './report.module.css';

/**
 * The pages that belong together, as tabs. Where they have no room they are scrolled to the one that is open, and fade
 * at the edge.
 */
export function TabNav({ label, children }: { label: string; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null);
  const beyond = useBeyond(nav);
  const { href } = useLocation();
  useEffect(() => {
    const element = nav.current;
    if (!element) return;
    const show = (): void => {
      const current = element.querySelector<HTMLElement>('[aria-current=page]');
      if (current) element.scrollTo({ left: current.offsetLeft - (element.clientWidth - current.offsetWidth) / 2 });
    };
    // Tabs grow when what they count is known.
    const watching = new ResizeObserver(show);
    for (const tab of [element, ...element.children]) watching.observe(tab);
    show();
    return () => watching.disconnect();
  }, [href]);
  return (
    <nav ref={nav} data-beyond={beyond} className={classes.tabs} aria-label={label}>
      {children}
    </nav>
  );
}
