import { Link } from '@tanstack/react-router';
import { useEffect, useId } from 'react';
import { ChevronDownIcon, ChevronRightIcon } from '../brand/icons.tsx';
import { changeNavigation, isOpen, useNavigation } from './navigation-state.ts';
import type { Section } from './sections.ts';
import classes from './sidebar.module.css';

function Pages({ section, onLeave }: { section: Section; onLeave: (() => void) | undefined }) {
  return (
    <ul className={classes.pages}>
      {section.pages.map(({ to, label }) => (
        <li key={to}>
          <Link
            to={to}
            className={classes.link}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            activeProps={{ 'data-active': true, 'aria-current': 'page' }}
            {...(onLeave && { onClick: onLeave })}
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Group({ section, current, onLeave }: { section: Section; current: Section; onLeave?: () => void }) {
  const navigation = useNavigation();
  const id = useId();
  const { name } = section;
  const isShown = isOpen(navigation, name, current.name);
  const Chevron = isShown ? ChevronDownIcon : ChevronRightIcon;
  const toggle = (): void => changeNavigation({ open: { ...navigation.open, [name]: !isShown } });
  return (
    <div className={classes.group}>
      <button
        type="button"
        className={classes.heading}
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        onClick={toggle}
      >
        <span>{name}</span>
        <Chevron width={13} height={13} />
      </button>
      {isShown && (
        <div id={id}>
          <Pages section={section} onLeave={onLeave} />
        </div>
      )}
    </div>
  );
}

/** The groups of pages, each of which opens and closes; the first, where work begins, is always open. */
export function Groups({
  sections,
  current,
  onLeave,
}: {
  sections: readonly Section[];
  current: Section;
  onLeave?: () => void;
}) {
  const { open } = useNavigation();
  // Whoever comes into a group that was closed sees where they are, and may close it again.
  useEffect(() => {
    if (open[current.name] === false) changeNavigation({ open: { ...open, [current.name]: true } });
    // Not when it is closed there.
  }, [current.name]);
  const [first, ...rest] = sections;
  return (
    <>
      {first && <Pages section={first} onLeave={onLeave} />}
      {rest.map((section) => (
        <Group key={section.name} section={section} current={current} {...(onLeave && { onLeave })} />
      ))}
    </>
  );
}

/** All pages, beside the one that is open. */
export function Sidebar({ sections, current }: { sections: readonly Section[]; current: Section }) {
  return (
    <nav id="navigation" className={classes.side} aria-label="Main">
      <Groups sections={sections} current={current} />
    </nav>
  );
}
