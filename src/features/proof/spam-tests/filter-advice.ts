// Which spam filters were asked, how each was found, and what to do about one that is missing.
import { comparedWith, rateInWords } from '../../../engines/spam-rules/index.ts';
import type { Static } from 'typebox';
import type { FilterState } from '../../../platform/spam-filters/index.ts';
import type { FilterAdvice } from './contract.ts';

type Advice = Static<typeof FilterAdvice>;

const NAMES = { spamassassin: 'SpamAssassin', rspamd: 'Rspamd' } as const;
const SETTINGS = { spamassassin: 'GALLEY_SPAMD=host:783', rspamd: 'GALLEY_RSPAMD=http://host:11333' } as const;
const START = {
  spamassassin: 'Start its daemon (Debian: systemctl enable --now spamd)',
  rspamd: 'Start it (Debian: systemctl enable --now rspamd)',
} as const;
const INSTALL = {
  spamassassin: 'Install it (Debian: apt install spamassassin spamd) and start it',
  rspamd: 'Install it (Debian: apt install rspamd) and start it',
} as const;

/**
 * What the filter found, and what the built-in rules found, in the same messages; empty where that was not measured.
 */
function comparison(engine: FilterState['engine']): string {
  return comparedWith(engine)
    .slice(0, 2)
    .map(
      ({ collection, theirs, ours }) =>
        ` In ${collection} it finds ${rateInWords(theirs)}, the built-in rules ${rateInWords(ours)}.`,
    )
    .join('');
}

/** One row for each filter that Galley can ask. */
export function filterAdvice(states: readonly FilterState[]): Advice[] {
  return states.map(({ engine, state, address }): Advice => {
    const name = NAMES[engine];
    const row = (message: string, fix: string | null): Advice => ({ engine, state, address, message, fix });
    if (state === 'configured') return row(`${name} at ${address} was asked: a setting names it.`, null);
    if (state === 'found') return row(`${name} at ${address} was asked: it runs on this machine.`, null);
    if (state === 'installed')
      return row(
        `${name} is installed on this machine and does not run, so it was not asked.${comparison(engine)}`,
        `${START[engine]}; Galley finds it within a minute.`,
      );
    if (state === 'absent')
      return row(
        `${name} is not on this machine, so it was not asked.${comparison(engine)}`,
        `${INSTALL[engine]}; Galley finds it within a minute. Elsewhere: set ${SETTINGS[engine]}.`,
      );
    return row(
      `${name} was not looked for: GALLEY_FIND_FILTERS is off.${comparison(engine)}`,
      `Set ${SETTINGS[engine]}, or GALLEY_FIND_FILTERS=on.`,
    );
  });
}
