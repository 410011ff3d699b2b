// The settings of address validation.
import type { Setting } from './settings.ts';
import { oneOf, whole } from './values.ts';

export interface ValidationConfig {
  /** Servers of recipients are asked whether there is a mailbox. */
  isProbing: boolean;
  /** Addresses of an account. */
  probesPerHour: number;
}

export const VALIDATION_SETTINGS: readonly Setting[] = [
  {
    name: 'GALLEY_VALIDATION_PROBE',
    default: 'off',
    about:
      'Whether address validation asks the domain’s mail server for the mailbox (`on`): null sender, `RCPT`, `QUIT`, no ' +
      'message. Servers may count such questions against the address that asks, so leave it `off` where real mail leaves ' +
      'from the same one. Each process asks a host over one connection at a time. Not together with `GALLEY_SMTP_RELAY`.',
    check: oneOf('off', 'on'),
  },
  {
    name: 'GALLEY_VALIDATION_PROBES_PER_HOUR',
    default: '500',
    about: 'So many addresses of one account are asked for within an hour; the others are validated without that.',
    check: whole(1, 100_000),
  },
];

export const readValidation = (
  read: (name: string) => string | undefined,
  number: (name: string) => number,
): ValidationConfig => ({
  isProbing: read('GALLEY_VALIDATION_PROBE') === 'on',
  probesPerHour: number('GALLEY_VALIDATION_PROBES_PER_HOUR'),
});
