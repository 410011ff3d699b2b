import type { Context } from '../../../platform/feature/index.ts';
import { recallKey } from '../../account/keys/index.ts';
import { findUser } from '../../account/users/index.ts';
import type { ReviewLink } from './links-store.ts';
import type { Person } from './store.ts';

/** Who makes the request, by the name of now. */
export async function personOf({ db, principal }: Pick<Context, 'db' | 'principal'>): Promise<Person> {
  const { userId, keyId, ownAccountId } = principal;
  if (userId !== undefined) {
    const user = await findUser(db, ownAccountId, userId);
    return { authorKind: 'user', authorId: userId, authorName: user?.name || (user?.email ?? userId) };
  }
  const key = keyId === null ? undefined : await recallKey({ db }, keyId).catch(() => undefined);
  return { authorKind: 'key', authorId: keyId ?? '', authorName: key?.description || 'API key' };
}

export const reviewerOf = ({ id, name }: ReviewLink): Person => ({
  authorKind: 'reviewer',
  authorId: id,
  authorName: name,
});
