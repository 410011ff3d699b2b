import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { Logo } from '../brand/logo.tsx';
import { Notice } from './page.tsx';
import classes from './shell.module.css';
import { SchemeSwitch } from './scheme-switch.tsx';

/** What is said within a page whose part of the address leads nowhere. */
export function NothingHere() {
  useDocumentTitle('Page not found · Galley');
  return (
    <Notice
      isPage
      title="Page not found"
      action={<Button renderRoot={(props) => <Link to="/previews" {...props} />}>All tests</Button>}
    >
      Check the address for typing errors.
    </Notice>
  );
}

/** The page at every unknown address. It asks nobody to sign in. */
export function NoSuchPage() {
  return (
    <>
      <a href="#content" className={classes.skip}>
        Skip to the content
      </a>
      <header className={classes.header}>
        <Link to="/previews" className={classes.home} aria-label="Galley, all tests">
          <Logo />
        </Link>
        <span className={classes.end}>
          <SchemeSwitch />
        </span>
      </header>
      <main id="content" tabIndex={-1} className={classes.main}>
        <NothingHere />
      </main>
    </>
  );
}
