import { useDocumentTitle } from '@mantine/hooks';
import { Fragment, type ReactNode } from 'react';
import classes from './page.module.css';

interface PageHeadProps {
  title: string;
  /** What the browser's tab says, where it differs. */
  tabTitle?: string;
  lead?: ReactNode;
  children?: ReactNode;
}

/** A path or a domain breaks behind its signs rather than within its words. */
function breakable(title: string): ReactNode {
  return title.split(/(?<=[./@])(?=\S)/).map((part, place) => (
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** The heading of a page, what it is about, and what can be done with it. */
export function PageHead({ title, tabTitle = title, lead, children }: PageHeadProps) {
  useDocumentTitle(`${tabTitle} · Galley`);
  return (
    <div className={classes.head}>
      <div className={classes.words}>
        <h1 className={classes.title}>{breakable(title)}</h1>
        {lead && <div className={classes.lead}>{lead}</div>}
      </div>
      {children && <div className={classes.actions}>{children}</div>}
    </div>
  );
}

interface NoticeProps {
  title: string;
  /** It is all that the page says. */
  isPage?: boolean;
  children?: ReactNode;
  action?: ReactNode;
}

/** A page, or part of one, that has only something to say. Drawn as a sheet with its crop marks. */
export function Notice({ title, isPage = false, children, action }: NoticeProps) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div className={classes.notice}>
      <Heading className={classes.noticeTitle}>{title}</Heading>
      {children && <div className={classes.noticeText}>{children}</div>}
      {action && <div className={classes.noticeAction}>{action}</div>}
    </div>
  );
}
