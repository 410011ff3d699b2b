// For somebody who lost the device with the second factor or the passkeys, and whom no admin can help: a command of
// the operator.
import type { Context } from '../../../platform/feature/index.ts';
import { changeAccess } from '../accounts/index.ts';
import { noteOperator } from '../audit-log/index.ts';
import { forgetFactor } from '../second-factors/index.ts';
import { deleteSessionsOfUser } from '../sessions/index.ts';
import type { User } from '../users/index.ts';
import { countPasskeys, deletePasskeysOfUser } from './store.ts';

/** The password alone signs in from now on; every session ends. Answers what there was. */
export function resetAsOperator(
  outside: Pick<Context, 'db' | 'clock'>,
  user: User,
): Promise<{ hadFactor: boolean; passkeys: number }> {
  const at = outside.clock.now();
  return changeAccess(outside, async (tx) => {
    const passkeys = await countPasskeys(tx, user);
    await deletePasskeysOfUser(tx, user);
    await forgetFactor(tx, user, at);
    await deleteSessionsOfUser(tx, user);
    const { id, accountId, email } = user;
    const resource = { user_id: id, email: email ?? '' };
    await noteOperator(tx, { accountId, at, operation: 'user.sign_in_reset', resource });
    return { hadFactor: user.tfaCreatedAt !== null, passkeys };
  });
}
