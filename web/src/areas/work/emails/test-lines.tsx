import { Ago } from '../../../ground/shell/when.tsx';
import mailClasses from '../../../shared/mail/mail.module.css';
import type { Test } from './emails-api.ts';
import classes from './emails.module.css';

const STATES = { processing: 'running', complete: 'complete', failed: 'could not run' } as const;
const NAMES: Readonly<Record<string, string>> = {
  previews: 'Preview test',
  gate: 'Gate',
  spam: 'Spam test',
  placement: 'Placement test',
  code: 'Code analysis',
  links: 'Link test',
  images: 'Image test',
  accessibility: 'Accessibility test',
};

/** Tests of a version, each with the address of its own page. */
export function TestLines({ tests }: { tests: readonly Test[] }) {
  return (
    <ul className={classes.tests} aria-label="Tests">
      {tests.map(({ id, kind, state, errors, warnings, created_at: at, links }) => (
        <li key={id}>
          <span>{NAMES[kind] ?? kind}</span>
          <span className={mailClasses.chip} data-tone={state === 'failed' ? 'bad' : undefined}>
            {STATES[state]}
          </span>
          <span className="dim">
            {errors !== null &&
              `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings ?? 0} ${warnings === 1 ? 'warning' : 'warnings'} · `}
            <Ago at={new Date(at)} />
          </span>
          {links.page !== null && <a href={links.page}>Open its page</a>}
        </li>
      ))}
    </ul>
  );
}
