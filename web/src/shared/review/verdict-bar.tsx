import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../ground/api.ts';
import { Ago } from '../../ground/shell/when.tsx';
import mailClasses from '../mail/mail.module.css';
import { stateWords, type Decision, type Review, type ReviewActions } from './review.ts';
import classes from './review.module.css';

interface VerdictBarProps {
  review: Review;
  actions: ReviewActions;
}

/** How the review stands, who decided what, and one's own verdict. */
export function VerdictBar({ review: { state, version, verdicts, open_threads: open }, actions }: VerdictBarProps) {
  const [note, setNote] = useState('');
  const { decide, me } = actions;
  const save = useMutation({
    mutationFn: (decision: Decision) => decide!(decision, note.trim()),
    onSuccess: () => setNote(''),
  });
  const own = verdicts.find(({ author }) => author.id === me)?.decision;
  const { label, tone } = stateWords(state);
  return (
    <section className={classes.verdict} aria-label="Verdict">
      <div className={classes.standing}>
        <p className={classes.state}>
          Version {version}:{' '}
          <span className={mailClasses.chip} data-tone={tone}>
            {label}
          </span>{' '}
          <span className={classes.by}>
            {open === 0 ? 'no open comments' : open === 1 ? '1 open comment' : `${open} open comments`}
          </span>
        </p>
        {verdicts.length > 0 && (
          <ul className={classes.verdicts} aria-label="Verdicts">
            {verdicts.map(({ author, decision, note: why, decided_at: at }) => (
              <li key={`${author.kind} ${author.id}`}>
                <strong>{author.name}</strong> {decision === 'approved' ? 'approves' : 'requests changes'}
                {why !== '' && (
                  <>
                    : <bdi>{why}</bdi>
                  </>
                )}{' '}
                <span className={classes.by}>
                  <Ago at={new Date(at)} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
      {decide && (
        <div className={classes.decide}>
          <Textarea
            label="Note to your verdict (optional)"
            autosize
            minRows={1}
            maxRows={6}
            maxLength={2000}
            value={note}
            error={save.error && sentenceOf(save.error)}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <div className={classes.buttons}>
            <Button
              size="xs"
              aria-pressed={own === 'approved'}
              variant={own === 'changes_requested' ? 'default' : 'filled'}
              loading={save.isPending}
              onClick={() => save.mutate('approved')}
            >
              {own === 'approved' ? 'Approved' : 'Approve'}
            </Button>
            <Button
              size="xs"
              aria-pressed={own === 'changes_requested'}
              variant={own === 'changes_requested' ? 'filled' : 'default'}
              disabled={save.isPending}
              onClick={() => save.mutate('changes_requested')}
            >
              {own === 'changes_requested' ? 'Changes requested' : 'Request changes'}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}
