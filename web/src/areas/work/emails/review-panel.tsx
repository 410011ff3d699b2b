import { Alert, Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, sentenceOf, sessionQuery } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { DownloadButton } from '../../../ground/shell/download-button.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Ago, When } from '../../../ground/shell/when.tsx';
import { ReviewBoard } from '../../../shared/review/review-board.tsx';
import type { Review, ReviewActions } from '../../../shared/review/review.ts';
import classes from '../../../shared/review/review.module.css';
import { linksQuery, reviewQuery, stateOf, type OfVersion, type Test } from './emails-api.ts';
import { InviteDialog } from './invite-dialog.tsx';

function useActions({ emailId, number }: OfVersion, canWrite: boolean): ReviewActions {
  const queries = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const me = session?.user?.id ?? session?.key_id;
  if (!canWrite) return { me };
  const renewed = async <Answer,>(answer: Promise<Answer>): Promise<Answer> => {
    const got = await answer;
    await queries.invalidateQueries({ queryKey: ['email', emailId, 'review'] });
    await queries.invalidateQueries({ queryKey: ['emails'] });
    return got;
  };
  const path = { email_id: emailId, number: String(number) };
  const ofComment = (id: string) => ({ email_id: emailId, comment_id: id });
  const remove = async (id: string): Promise<void> => {
    try {
      await renewed(api.call('DELETE /v1/emails/{email_id}/comments/{comment_id}', { path: ofComment(id) }));
    } catch (error) {
      tell({ color: 'red', title: 'The comment was not deleted', message: sentenceOf(error) });
    }
  };
  return {
    me,
    comment: (place, text) =>
      renewed(api.call('POST /v1/emails/{email_id}/versions/{number}/comments', { path, body: { text, ...place } })),
    reply: (id, text) =>
      renewed(
        api.call('POST /v1/emails/{email_id}/comments/{comment_id}/replies', { path: ofComment(id), body: { text } }),
      ),
    decide: (decision, note) =>
      renewed(api.call('PUT /v1/emails/{email_id}/versions/{number}/verdict', { path, body: { decision, note } })),
    resolve: (id, resolved) =>
      renewed(
        api.call('PATCH /v1/emails/{email_id}/comments/{comment_id}', { path: ofComment(id), body: { resolved } }),
      ),
    remove: (id) =>
      ask({
        title: 'Delete this comment?',
        text: 'It is deleted with its replies.',
        confirm: 'Delete',
        onConfirm: () => void remove(id),
      }),
  };
}

/** Reviewers by link. */
function Reviewers({ emailId, canWrite }: { emailId: string; canWrite: boolean }) {
  const queries = useQueryClient();
  const [isOpen, dialog] = useDisclosure();
  const { data, error } = useQuery(linksQuery(emailId));
  const takeBack = async (id: string): Promise<void> => {
    try {
      await api.call('DELETE /v1/emails/{email_id}/review-links/{link_id}', {
        path: { email_id: emailId, link_id: id },
      });
      await queries.invalidateQueries({ queryKey: ['email', emailId] });
    } catch (failure) {
      tell({ color: 'red', title: 'The link was not taken back', message: sentenceOf(failure) });
    }
  };
  return (
    <section className={classes.links}>
      <h2 className={classes.title}>Reviewers by link: {data?.length ?? '…'}</h2>
      {error && <Alert color="red">{sentenceOf(error)}</Alert>}
      <ul className={classes.threads} aria-label="Reviewers by link">
        {data?.map(({ id, name, has_password: isSecret, is_expired: isOver, expires_at: at, opened_at: opened }) => (
          <li key={id}>
            <span>
              <strong>{name}</strong>
              {isSecret && ', with a password'}
            </span>
            <span className={classes.by}>
              {isOver ? 'expired ' : 'until '}
              <When at={new Date(at)} />,{' '}
              {opened ? (
                <>
                  opened <Ago at={new Date(opened)} />
                </>
              ) : (
                'not opened yet'
              )}
            </span>
            {canWrite && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Take back the link of ${name}`}
                onClick={() =>
                  ask({
                    title: 'Take back this link?',
                    text: `${name} can no longer open this review. What ${name} said stays.`,
                    confirm: 'Take back',
                    onConfirm: () => void takeBack(id),
                  })
                }
              >
                Take back
              </Button>
            )}
          </li>
        ))}
      </ul>
      {canWrite && (
        <Button size="xs" mt="sm" onClick={dialog.open}>
          Invite a reviewer
        </Button>
      )}
      {isOpen && <InviteDialog emailId={emailId} onClose={dialog.close} />}
    </section>
  );
}

function Elsewhere({ emailId, elsewhere }: { emailId: string; elsewhere: Review['elsewhere'] }) {
  if (elsewhere.length === 0) return null;
  return (
    <p className={classes.by}>
      Open comments on other versions:{' '}
      {elsewhere.map(({ version, open_threads: open }, place) => (
        <span key={version}>
          {place > 0 && ', '}
          <Link to="/emails/$emailId" params={{ emailId }} search={{ tab: 'review', version }}>
            {open} on version {version}
          </Link>
        </span>
      ))}
    </p>
  );
}

/** What people say of a version, and whether they approve it. */
export function ReviewPanel({ of, tests }: { of: OfVersion; tests: readonly Test[] }) {
  const { canWrite } = useRole();
  const { data, error } = useQuery(reviewQuery(of, stateOf(tests.filter(({ kind }) => kind === 'previews'))));
  const actions = useActions(of, canWrite);
  if (error)
    return (
      <Alert color="red" title="The review could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (!data) return <Skeleton height={240} />;
  return (
    <>
      <ReviewBoard key={of.number} review={data} actions={actions} />
      <Elsewhere emailId={of.emailId} elsewhere={data.elsewhere} />
      <DownloadButton
        size="xs"
        name="review.html"
        path={`/v1/emails/${of.emailId}/versions/${of.number}/review/report`}
      >
        Save the review as a file
      </DownloadButton>
      <Reviewers emailId={of.emailId} canWrite={canWrite} />
    </>
  );
}
