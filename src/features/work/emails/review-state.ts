// What the list of emails says of their reviews, which stand above emails.
import type { Context } from '../../../platform/feature/index.ts';
import { definePort } from '../../../platform/ports/index.ts';
import type { ReviewStateView } from './contract.ts';
import type { Email } from './store.ts';

/** The state of the review of each email's newest version. */
export const reviewStates =
  definePort<
    (
      ctx: Pick<Context, 'db' | 'clock'>,
      accountId: string,
      emails: readonly Pick<Email, 'id' | 'version'>[],
    ) => Promise<(email: Pick<Email, 'id'>) => ReviewStateView>
  >('emails.review-states');
