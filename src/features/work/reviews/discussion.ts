import { AppError, invalid, notFound } from '../../../platform/errors/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { raiseAlert } from '../../monitor/alerts/index.ts';
import { findTestOfAnyone, listResults, type PreviewTest } from '../../proof/previews/index.ts';
import { findVersion, listStarted, lockEmail, type Email, type Version } from '../emails/index.ts';
import { COMMENTS_MAX, VERDICTS_MAX, type ReviewView } from './contract.ts';
import * as store from './store.ts';
import type { OfVersion, Person, ReviewComment } from './store.ts';

type Doors = Pick<Outside, 'db' | 'clock' | 'jobs'>;

/** Tests of a version that are looked at for one with pictures. */
const TESTS_MAX = 200;

/** The version of an email, by its number or `latest`. Throws `not_found`. */
export async function versionOf(
  { db }: Pick<Outside, 'db'>,
  { id: emailId, accountId, version: newest }: Email,
  number: string,
): Promise<Version> {
  const wanted = number === 'latest' ? newest : /^\d{1,6}$/.test(number) ? Number(number) : 0;
  const version = await findVersion(db, { accountId, emailId }, wanted);
  if (!version) throw notFound('version of this email', number);
  return version;
}

/** The newest preview test of a version that is still there. */
export async function findPictures({ db }: Pick<Outside, 'db'>, of: OfVersion): Promise<PreviewTest | undefined> {
  const started = await listStarted(db, of, TESTS_MAX);
  for (const { testId } of started.filter(({ kind }) => kind === 'previews')) {
    const test = await findTestOfAnyone(db, testId);
    if (test?.accountId === of.accountId) return test;
  }
  return undefined;
}

interface Said {
  email: Email;
  person: Person;
  number: number;
}

const pageOf = ({ email, number }: Said): string => `/emails/${email.id}?tab=review&version=${number}`;

const factsOf = (said: Said) => ({
  page: pageOf(said),
  email: { id: said.email.id, name: said.email.name },
  version: said.number,
  by: said.person.authorName,
});

async function tellComment(doors: Doors, tx: Sql, { text, ...said }: Said & { text: string }): Promise<void> {
  const { email, person, number } = said;
  await raiseAlert(doors, tx, {
    accountId: email.accountId,
    event: 'review_commented',
    subject: `${email.name} · ${email.id}`,
    data: {
      message: `${person.authorName} commented on version ${number} of ${email.name}: ${text.slice(0, 300)}`,
      ...factsOf(said),
    },
  });
}

/** Refuses a place that is none. Throws `invalid_request`, `invalid_client`. */
async function placeOf(
  doors: Doors,
  of: OfVersion,
  { client = null, x = null, y = null }: { client?: string | null; x?: number | null; y?: number | null },
): Promise<Pick<ReviewComment, 'client' | 'x' | 'y'>> {
  if ((x === null) !== (y === null)) throw invalid(x === null ? 'x' : 'y', 'is missing: x and y go together.');
  if (client === null) {
    if (x !== null) throw invalid('client', 'is missing: x and y are a place of the picture of a client.');
    return { client, x, y };
  }
  const test = await findPictures(doors, of);
  if (!test) throw invalid('client', 'has no picture: no preview test of this version was started.');
  const shown = (await listResults(doors.db, of.accountId, test.id)).filter(({ status }) => status !== 'bounced');
  if (!shown.some(({ clientId }) => clientId === client))
    throw new AppError(
      'invalid_client',
      `client has no picture in this version: ${client.slice(0, 60)}. Those that have one: ` +
        `${shown
          .slice(0, 10)
          .map(({ clientId }) => clientId)
          .join(', ')}${shown.length > 10 ? ', …' : ''}.`,
    );
  return { client, x, y };
}

/** In a transaction that holds the email, so that the bound holds, too. */
async function write(
  doors: Doors,
  said: Said,
  comment: Pick<ReviewComment, 'threadId' | 'client' | 'x' | 'y' | 'body'>,
) {
  const { email, person, number } = said;
  const { id: emailId, accountId } = email;
  const row: ReviewComment = {
    id: newId(),
    accountId,
    emailId,
    number,
    ...comment,
    body: comment.body.trim(),
    ...person,
    createdAt: doors.clock.now(),
    resolvedAt: null,
    resolvedBy: null,
  };
  await doors.db.tx(async (tx) => {
    if (!(await lockEmail(tx, accountId, emailId))) throw notFound('email', emailId);
    if ((await store.countComments(tx, { accountId, emailId })) >= COMMENTS_MAX)
      throw new AppError('conflict', `This email has ${COMMENTS_MAX} comments, which is as many as it may have.`);
    await store.insertComment(tx, row);
    await tellComment(doors, tx, { ...said, text: row.body });
  });
  doors.jobs.wake();
  return row;
}

interface Place {
  text: string;
  client?: string | null;
  x?: number | null;
  y?: number | null;
}

/** Begins a thread. Throws `invalid_request`, `invalid_client`, `conflict`. */
export async function addComment(doors: Doors, said: Said, { text: body, ...place }: Place): Promise<ReviewComment> {
  const { email, number } = said;
  const of = { accountId: email.accountId, emailId: email.id, number };
  return write(doors, said, { threadId: null, body, ...(await placeOf(doors, of, place)) });
}

/** Throws `not_found`. */
export async function getComment({ db }: Pick<Outside, 'db'>, email: Email, id: string): Promise<ReviewComment> {
  const found = await store.findComment(db, { accountId: email.accountId, emailId: email.id }, id);
  if (!found) throw notFound('comment', id);
  return found;
}

/** Answers the first comment of the thread. Throws `not_found`, `conflict`. */
export async function addReply(
  doors: Doors,
  { commentId, text: body, ...said }: Omit<Said, 'number'> & { commentId: string; text: string },
): Promise<ReviewComment> {
  const to = await getComment(doors, said.email, commentId);
  const first = to.threadId === null ? to : await getComment(doors, said.email, to.threadId);
  const { id: threadId, number } = first;
  await write(doors, { ...said, number }, { threadId, client: null, x: null, y: null, body });
  return first;
}

/** Of the thread that the comment belongs to. Throws `not_found`. */
export async function setResolved(
  doors: Pick<Outside, 'db' | 'clock'>,
  { email, person, commentId }: { email: Email; person: Person; commentId: string },
  isResolved: boolean,
): Promise<ReviewComment> {
  const comment = await getComment(doors, email, commentId);
  const first = comment.threadId === null ? comment : await getComment(doors, email, comment.threadId);
  if ((first.resolvedAt !== null) === isResolved) return first;
  const resolved = isResolved
    ? { resolvedAt: doors.clock.now(), resolvedBy: person.authorName }
    : { resolvedAt: null, resolvedBy: null };
  await store.resolveThread(doors.db, first, resolved);
  return { ...first, ...resolved };
}

/** Throws `not_found`. */
export async function removeComment({ db }: Pick<Outside, 'db'>, email: Email, id: string): Promise<void> {
  if (!(await store.deleteComment(db, { accountId: email.accountId, emailId: email.id }, id)))
    throw notFound('comment', id);
}

const DECIDED = { approved: 'approves', changes_requested: 'requests changes to' } as const;

interface Decided {
  decision: ReviewView['verdicts'][number]['decision'];
  note?: string | null;
}

/** In place of the person's verdict before. Throws `conflict`. */
export async function decide(doors: Doors, said: Said, { decision, note }: Decided): Promise<void> {
  const { email, person, number } = said;
  const of = { accountId: email.accountId, emailId: email.id, number };
  const verdict = { ...of, ...person, decision, note: note?.trim() ?? '', decidedAt: doors.clock.now() };
  await doors.db.tx(async (tx) => {
    if (!(await lockEmail(tx, email.accountId, email.id))) throw notFound('email', email.id);
    const others = await store.listVerdicts(tx, of, VERDICTS_MAX);
    const own = others.find(
      ({ authorKind, authorId }) => authorKind === person.authorKind && authorId === person.authorId,
    );
    if (!own && others.length >= VERDICTS_MAX)
      throw new AppError('conflict', `This version has ${VERDICTS_MAX} verdicts, which is as many as it may have.`);
    await store.putVerdict(tx, verdict);
    if (own?.decision === decision && own.note === verdict.note) return;
    await raiseAlert(doors, tx, {
      accountId: email.accountId,
      event: 'review_given',
      // Each decision of each person is one thing to hear of.
      subject: `${email.name} · ${email.id} · ${number} · ${person.authorId} · ${decision}`,
      data: {
        message:
          `${person.authorName} ${DECIDED[decision]} version ${number} of ${email.name}.` +
          (verdict.note === '' ? '' : ` ${verdict.note.slice(0, 300)}`),
        ...(decision === 'changes_requested' && { fix: 'Read the comments, and add a version that follows them.' }),
        ...factsOf(said),
        decision,
      },
    });
  });
  doors.jobs.wake();
}

/** Throws `not_found`. */
export async function takeBack({ db }: Pick<Context, 'db'>, of: OfVersion, person: Person): Promise<void> {
  if (!(await store.deleteVerdict(db, of, person)))
    throw new AppError('not_found', 'You have given no verdict of this version.');
}
