import type { Context } from '../../../platform/feature/index.ts';
import { profileOf, resultsOf, V2_WORDS } from '../../proof/previews/index.ts';
import type { Version } from '../emails/index.ts';
import { findPictures } from './discussion.ts';
import { COMMENTS_MAX, VERDICTS_MAX, type LinkView, type ReviewView, type ThreadView } from './contract.ts';
import type { ReviewLink } from './links-store.ts';
import { readStates } from './states.ts';
import { listComments, listVerdicts, type Person, type ReviewComment } from './store.ts';

export function linkView(link: ReviewLink, now: Date): LinkView {
  const { id, name, passwordHash, madeBy, createdAt, expiresAt, openedAt } = link;
  return {
    id,
    name,
    has_password: passwordHash !== null,
    made_by: madeBy,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
    is_expired: expiresAt <= now,
    opened_at: openedAt?.toISOString() ?? null,
  };
}

const authorView = ({ authorKind: kind, authorId: id, authorName: name }: Person) => ({ kind, id, name });

const commentView = (comment: ReviewComment) => ({
  id: comment.id,
  text: comment.body,
  author: authorView(comment),
  created_at: comment.createdAt.toISOString(),
});

function threadView(first: ReviewComment, replies: readonly ReviewComment[]): ThreadView {
  const { number, client, x, y, resolvedAt, resolvedBy } = first;
  return {
    ...commentView(first),
    version: number,
    client,
    x,
    y,
    resolved: resolvedAt && { at: resolvedAt.toISOString(), by: resolvedBy ?? '' },
    replies: replies.map(commentView),
  };
}

type Reader = Pick<Context, 'db' | 'clock'>;
/** What showing a review with its pictures takes. */
export type Shower = Reader & Pick<Context, 'browser' | 'baseUrl' | 'lists'>;

async function threadsOf({ db }: Pick<Reader, 'db'>, of: Parameters<typeof listComments>[1]): Promise<ThreadView[]> {
  const comments = await listComments(db, of, COMMENTS_MAX);
  const replies = Map.groupBy(comments, ({ threadId }) => threadId);
  return comments
    .filter(({ threadId }) => threadId === null)
    .map((first) => threadView(first, replies.get(first.id) ?? []));
}

/** The thread that begins with this comment, as it is now. */
export async function showThread(ctx: Pick<Reader, 'db'>, first: ReviewComment): Promise<ThreadView> {
  const found = (await threadsOf(ctx, first)).find(({ id }) => id === first.id);
  return found ?? threadView(first, []);
}

/** `filesUrlOf` says where readers of this view get pictures. */
export async function reviewView(ctx: Shower, version: Version, filesUrl?: string): Promise<ReviewView> {
  const { emailId, accountId, number, subject } = version;
  const { stateOfVersion, threads } = await readStates(ctx, accountId, [emailId]);
  const test = await findPictures(ctx, version);
  const shown = test ? await resultsOf(ctx, { test, words: V2_WORDS, ...(filesUrl && { filesUrl }) }) : {};
  return {
    version: number,
    subject,
    ...stateOfVersion({ id: emailId, version: number }),
    verdicts: (await listVerdicts(ctx.db, version, VERDICTS_MAX)).map((verdict) => ({
      decision: verdict.decision,
      note: verdict.note,
      author: authorView(verdict),
      decided_at: verdict.decidedAt.toISOString(),
    })),
    threads: await threadsOf(ctx, version),
    elsewhere: threads
      .filter((one) => one.number !== number && one.open > 0)
      .map((one) => ({ version: one.number, open_threads: one.open })),
    pictures: Object.values(shown).map(({ id, status, screenshots, thumbnail, pictures }) => ({
      client: id,
      name: profileOf(id).displayName,
      state: status === 'complete' ? 'completed' : (status as 'processing' | 'bounced'),
      url: screenshots['default'] ?? '',
      thumbnail,
      width: pictures?.['default']?.width ?? null,
      height: pictures?.['default']?.height ?? null,
    })),
  };
}
