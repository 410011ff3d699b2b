import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { addFurtherUses, checkUse, countUse } from '../../account/limits/index.ts';
import { eventOf } from './count.ts';
import { validateAddresses, type Validation, type ValidateDoors } from './validate.ts';

type Doors = ValidateDoors & Pick<Outside, 'facts' | 'jobs'>;

/**
 * Validates one address, counts it, and writes its event. Throws `forbidden` where the limit on email validations is
 * used up.
 */
export async function validateOne(doors: Doors, accountId: string, given: string): Promise<Validation> {
  const address = given.trim();
  if (address === '') throw invalid('address', 'must not be empty.');
  const use = { accountId, metric: 'email_validation_count' } as const;
  await checkUse(doors, use);
  const [validation] = await validateAddresses(doors, accountId, [address]);
  if (!validation) throw new AppError('internal', 'An address was not validated.');
  const now = doors.clock.now();
  await doors.db.tx(async (tx) => {
    await doors.events.append(tx, [eventOf(validation, { accountId, at: now })]);
    await addFurtherUses(tx, accountId, {
      uses: {
        email_validation_single_count: 1,
        email_validation_valid_count: validation.result === 'deliverable' ? 1 : 0,
      },
      now,
    });
    await countUse(doors, tx, use);
  });
  doors.jobs.wake();
  return validation;
}
