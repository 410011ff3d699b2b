import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Logo } from '../../../ground/brand/logo.tsx';
import classes from './public-sheet.module.css';

interface PublicSheetProps {
  title: string;
  /** What the browser's tab says. */
  tabTitle: string;
  children: ReactNode;
}

/** A page of someone who has not signed in. */
export function PublicSheet({ title, tabTitle, children }: PublicSheetProps) {
  useDocumentTitle(`${tabTitle} · Galley`);
  return (
    <main className={classes.page}>
      <div className={classes.sheet}>
        <Logo size={34} />
        <h1 className={classes.title}>{title}</h1>
        {children}
      </div>
    </main>
  );
}
