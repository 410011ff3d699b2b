// Which uses of an account are counted.
import type { FurtherUse, USE_METRICS } from '../../account/limits/index.ts';
import type { USAGE_NAMES } from './contract.ts';

export type UsageName = (typeof USAGE_NAMES)[number];

/** Those that are counted, some of them for limits; the others, but for what was processed, are not. */
export const USES: Readonly<Partial<Record<UsageName, (typeof USE_METRICS)[number] | FurtherUse>>> = {
  email_preview_count: 'email_preview_success_count',
  seed_test_count: 'seed_test_count',
  email_validation_count: 'email_validation_count',
  email_validation_single_count: 'email_validation_single_count',
  email_validation_bulk_count: 'email_validation_bulk_count',
  email_validation_list_count: 'email_validation_list_count',
  email_validation_valid_count: 'email_validation_valid_count',
};
