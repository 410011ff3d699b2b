import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useBeyond } from '../shell/sideways.tsx';
import classes from './report.module.css';

/** The pages that belong together, as tabs. Where they have no room they are scrolled to the one that is open, and fade at the edge. */
export function TabNav({ label, children }: { label: string; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null);
  const beyond = useBeyond(nav);
  const { href } = useLocation();
  const isCut = beyond !== undefined;
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current=page]');
    if (current) nav.current?.scrollTo({ left: current.offsetLeft - (nav.current.clientWidth - current.offsetWidth) / 2 });
  }, [href, isCut]);
  return <nav ref={nav} data-beyond={beyond} className={classes.tabs} aria-label={label}>{children}</nav>;
}
