// Validations are counted, and each writes an event.
import type { NewEvent } from '../../../platform/event-log/index.ts';
import type { Validation } from './view.ts';

/** Of a recipient in the log. */
const RECIPIENT_MAX = 320;

interface Validated {
  accountId: string;
  at: Date;
  /** Of a list: its id. */
  listId?: string;
}

/** The event of a validation. It belongs to no domain that sends. */
export function eventOf(validation: Validation, { accountId, at, listId }: Validated): NewEvent {
  const { address, result, risk, reasons, isDisposable, isRole } = validation;
  return {
    at,
    accountId,
    event: 'email_validation',
    domain: '',
    recipient: address.toLowerCase().slice(0, RECIPIENT_MAX),
    about: {
      'email-validation': {
        result,
        risk,
        reason: reasons,
        'is-disposable-address': isDisposable,
        'is-role-address': isRole,
        ...(listId !== undefined && { 'list-id': listId }),
      },
    },
  };
}
