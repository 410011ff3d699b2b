import type { Context } from '../../../platform/feature/index.ts';
import type { User } from './store.ts';

const USER_AGENT_LENGTH = 300;

/** The payload of the facts about a user, and whose they are. */
export function toldOf(
  ctx: Pick<Context, 'address' | 'headers'>,
  user: Pick<User, 'id' | 'email' | 'accountId'>,
  { by, at, reason = '', and }: { by: string; at: Date; reason?: string; and?: string | undefined },
) {
  return {
    account: user.accountId,
    payload: {
      userId: user.id,
      email: user.email ?? '',
      by,
      address: ctx.address,
      userAgent: String(ctx.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH),
      at: at.toISOString(),
      reason,
      ...(and !== undefined && { and }),
    },
  };
}
