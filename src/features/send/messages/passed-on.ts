// Recipients that are nobody's mailbox: whoever passes their mail on says so, since no hour is theirs.
import { defineList } from '../../../platform/ports/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';

/** Which of these addresses of an account are passed on, as they were given. */
type FindsPassedOn = (
  doors: Pick<Outside, 'db'>,
  asked: { accountId: string; addresses: readonly string[] },
) => Promise<readonly string[]>;

export const passedOn = defineList<FindsPassedOn>('messages.passed-on');
