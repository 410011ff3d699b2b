import { Button } from '@mantine/core';
import { useState } from 'react';
import { sentenceOf } from '../../ground/api.ts';
import { tell } from '../../ground/shell/ask.ts';
import { Ago } from '../../ground/shell/when.tsx';
import type { ReviewActions, Thread } from './review.ts';
import classes from './review.module.css';
import { SayForm } from './say-form.tsx';

function Said({ comment }: { comment: Pick<Thread, 'author' | 'text' | 'created_at'> }) {
  const { author, text, created_at: at } = comment;
  return (
    <div>
      <p className={classes.by}>
        <strong>{author.name}</strong>
        {author.kind === 'reviewer' && ' (by link)'}, <Ago at={new Date(at)} />
      </p>
      <p className={classes.text}>
        <bdi>{text}</bdi>
      </p>
    </div>
  );
}

interface ThreadCardProps {
  thread: Thread;
  /** The number of its pin. */
  number: number | undefined;
  isChosen: boolean;
  actions: ReviewActions;
}

/** One thread: what was said, and what can be done with it. */
export function ThreadCard({ thread, number, isChosen, actions }: ThreadCardProps) {
  const [isReplying, setReplying] = useState(false);
  const { id, resolved, replies } = thread;
  const { reply, resolve, remove } = actions;
  const settle = (isResolved: boolean): void =>
    void resolve?.(id, isResolved).catch((error: unknown) =>
      tell({ color: 'red', title: 'The thread was not changed', message: sentenceOf(error) }),
    );
  return (
    <li id={`thread-${id}`} className={classes.thread} data-chosen={isChosen} data-resolved={resolved !== null}>
      {number !== undefined && (
        <span className={classes.number}>
          {number}
          <span className="visually-hidden">. comment on the picture</span>
        </span>
      )}
      <div className={classes.said}>
        <Said comment={thread} />
        {replies.map((one) => (
          <Said key={one.id} comment={one} />
        ))}
        {resolved && (
          <p className={classes.by}>
            Resolved by {resolved.by}, <Ago at={new Date(resolved.at)} />
          </p>
        )}
        {isReplying && reply ? (
          <SayForm
            label="Reply"
            action="Reply"
            hasFocus
            onSay={async (text) => (await reply(id, text), setReplying(false))}
            onCancel={() => setReplying(false)}
          />
        ) : (
          <div className={classes.buttons}>
            {reply && (
              <Button size="compact-xs" variant="default" onClick={() => setReplying(true)}>
                Reply
              </Button>
            )}
            {resolve && (
              <Button size="compact-xs" variant="default" onClick={() => settle(resolved === null)}>
                {resolved === null ? 'Resolve' : 'Reopen'}
              </Button>
            )}
            {remove && (
              <Button size="compact-xs" variant="default" onClick={() => remove(id)}>
                Delete
              </Button>
            )}
          </div>
        )}
      </div>
    </li>
  );
}
