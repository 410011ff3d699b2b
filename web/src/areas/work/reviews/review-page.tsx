import { Button, Loader, PasswordInput, Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf, statusOf } from '../../../ground/api.ts';
import { Logo } from '../../../ground/brand/logo.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import classes from '../../../ground/shell/public-page.module.css';
import { SchemeSwitch } from '../../../ground/shell/scheme-switch.tsx';
import { TroubleBanner } from '../../../ground/shell/trouble.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { ReviewBoard } from '../../../shared/review/review-board.tsx';
import type { ReviewActions } from '../../../shared/review/review.ts';

const POLL_MS = 10_000;

function Password({ token, onOpen }: { token: string; onOpen: (access: string) => void }) {
  const [password, setPassword] = useState('');
  const open = useMutation({
    mutationFn: () => api.call('POST /v1/reviews', { body: { token, password } }),
    onSuccess: ({ access }) => onOpen(access),
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), open.mutate());
  return (
    <Notice isPage title="This review has a password">
      <form onSubmit={submit}>
        <PasswordInput
          label="Password"
          description="Whoever sent you the link has it."
          value={password}
          error={open.error && sentenceOf(open.error)}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoFocus
          mb="md"
          maw={340}
        />
        <Button type="submit" loading={open.isPending} disabled={password === ''}>
          Open the review
        </Button>
      </form>
    </Notice>
  );
}

function Closed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const status = statusOf(error);
  if (status === 410)
    return (
      <Notice isPage title="This link has expired">
        {sentenceOf(error)}
      </Notice>
    );
  if (status === 404 || status === 400)
    return (
      <Notice isPage title="This link is no longer available">
        {sentenceOf(error)}
      </Notice>
    );
  return (
    <Notice isPage title="The review could not be loaded" action={<Button onClick={onRetry}>Try again</Button>}>
      {sentenceOf(error)}
    </Notice>
  );
}

function useActions(access: string, version: string, me: string): ReviewActions {
  const queries = useQueryClient();
  const renewed = async <Answer,>(answer: Promise<Answer>): Promise<Answer> => {
    const got = await answer;
    await queries.invalidateQueries({ queryKey: ['open-review', access] });
    return got;
  };
  const path = { access, number: version };
  return {
    me,
    comment: (place, text) =>
      renewed(api.call('POST /v1/reviews/{access}/versions/{number}/comments', { path, body: { text, ...place } })),
    reply: (id, text) =>
      renewed(
        api.call('POST /v1/reviews/{access}/comments/{comment_id}/replies', {
          path: { access, comment_id: id },
          body: { text },
        }),
      ),
    decide: (decision, note) =>
      renewed(api.call('PUT /v1/reviews/{access}/versions/{number}/verdict', { path, body: { decision, note } })),
  };
}

function OpenReview({ access }: { access: string }) {
  const [version, setVersion] = useState<string>();
  const { data, error, refetch } = useQuery({
    queryKey: ['open-review', access, version],
    queryFn: ({ signal }) =>
      api.call('GET /v1/reviews/{access}', { path: { access }, query: { ...(version && { version }) } }, { signal }),
    placeholderData: (before) => before,
    refetchInterval: POLL_MS,
  });
  const shown = String(data?.review.version ?? 1);
  const actions = useActions(access, shown, data?.reviewer.id ?? '');
  if (error && !data) return <Closed error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader size="sm" className={classes.loader} aria-label="Loading" />;
  const { email, reviewer, versions, review } = data;
  const [newest] = versions;
  return (
    <>
      <PageHead
        title={email.name}
        lead={
          <>
            {review.subject !== '' && review.subject !== email.name && (
              <>
                <bdi>{review.subject}</bdi> ·{' '}
              </>
            )}
            You review as {reviewer.name}, until <When at={new Date(reviewer.expires_at)} />
          </>
        }
      >
        {versions.length > 1 && (
          <Select
            aria-label="Version"
            size="xs"
            w={170}
            allowDeselect={false}
            value={shown}
            data={versions.map(({ number }) => ({
              value: String(number),
              label: number === newest?.number ? `Version ${number} (latest)` : `Version ${number}`,
            }))}
            onChange={(next) => setVersion(next ?? undefined)}
          />
        )}
      </PageHead>
      <ReviewBoard key={shown} review={review} actions={actions} />
    </>
  );
}

function Opened({ token }: { token: string }) {
  const [byPassword, setByPassword] = useState<string>();
  const opened = useQuery({
    queryKey: ['review-link', token],
    queryFn: () => api.call('POST /v1/reviews', { body: { token } }),
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  const access = byPassword ?? opened.data?.access;
  if (access !== undefined) return <OpenReview access={access} />;
  if (statusOf(opened.error) === 401) return <Password token={token} onOpen={setByPassword} />;
  if (opened.error) return <Closed error={opened.error} onRetry={() => void opened.refetch()} />;
  return <Loader size="sm" className={classes.loader} aria-label="Loading" />;
}

/** The review of one email, for a reviewer who has a link and no account. */
export function ReviewPage() {
  const token = useLocation({ select: ({ hash }) => hash });
  return (
    <>
      <a href="#content" className={classes.skip} onClick={(event) => skip(event)}>
        Skip to the content
      </a>
      <header className={classes.header}>
        <Logo />
        <span className={classes.shared}>Review</span>
        <span className={classes.end}>
          <SchemeSwitch />
        </span>
      </header>
      <TroubleBanner />
      <main id="content" tabIndex={-1} className={classes.main}>
        {token === '' ? (
          <Notice isPage title="This link is cut short">
            What stands behind the # is missing. Open the whole link, or ask whoever sent it for a new one.
          </Notice>
        ) : (
          <Opened key={token} token={token} />
        )}
      </main>
    </>
  );
}

/** The token stays behind the `#`. */
function skip(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
