import { Button } from '@mantine/core';
import { useState } from 'react';
import { pathOf } from '../../ground/api.ts';
import { Notice } from '../../ground/shell/page.tsx';
import type { Picture, Place, Review, ReviewActions, Thread } from './review.ts';
import classes from './review.module.css';
import { SayForm } from './say-form.tsx';
import { Stage } from './stage.tsx';
import { ThreadCard } from './thread-card.tsx';
import { VerdictBar } from './verdict-bar.tsx';

const WAITING = { processing: 'in progress', bounced: 'no picture: the client refuses this email' } as const;

function Pictures({
  pictures,
  threads,
  shown,
  onShow,
}: {
  pictures: readonly Picture[];
  threads: readonly Thread[];
  shown: string | undefined;
  onShow: (client: string) => void;
}) {
  return (
    <ul className={classes.pictures} aria-label="Pictures">
      {pictures.map(({ client, name, state, thumbnail }) => {
        const open = threads.filter((one) => one.client === client && one.resolved === null).length;
        return (
          <li key={client}>
            <button
              type="button"
              className={classes.choice}
              aria-pressed={client === shown}
              onClick={() => onShow(client)}
            >
              <span className={classes.small}>
                {state === 'completed' && <img src={pathOf(thumbnail)} alt="" loading="lazy" />}
              </span>
              <span>{name}</span>
              {open > 0 && (
                <span className={classes.number}>
                  {open}
                  <span className="visually-hidden"> open</span>
                </span>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

interface ReviewBoardProps {
  review: Review;
  actions: ReviewActions;
}

/** Pictures with what people say of them, and their verdicts. */
export function ReviewBoard({ review, actions }: ReviewBoardProps) {
  const { pictures, threads } = review;
  const [wanted, setWanted] = useState<string>();
  const [draft, setDraft] = useState<Place>();
  const [chosen, setChosen] = useState<string>();
  const picture =
    pictures.find(({ client }) => client === wanted) ??
    pictures.find(({ state }) => state === 'completed') ??
    pictures[0];
  const ofPicture = threads.filter(({ client }) => client !== null && client === picture?.client);
  const pinned = ofPicture.filter(({ x }) => x !== null);
  // What was said of clients of which no picture is left is said of the version.
  const ofVersion = threads.filter(({ client }) => !pictures.some((one) => one.client === client));
  const { comment } = actions;
  const show = (client: string): void => (setWanted(client), setDraft(undefined), setChosen(undefined));
  const choose = (id: string): void => {
    setChosen(id);
    document.getElementById(`thread-${id}`)?.scrollIntoView({ block: 'nearest' });
  };
  const card = (thread: Thread) => {
    const place = pinned.indexOf(thread);
    const number = place === -1 ? undefined : place + 1;
    return (
      <ThreadCard key={thread.id} thread={thread} number={number} isChosen={thread.id === chosen} actions={actions} />
    );
  };
  return (
    <>
      <VerdictBar review={review} actions={actions} />
      {picture ? (
        <div className={classes.board}>
          <Pictures pictures={pictures} threads={threads} shown={picture.client} onShow={show} />
          <div>
            <h2 className={classes.title}>{picture.name}</h2>
            {picture.state === 'completed' ? (
              <Stage
                picture={picture}
                pinned={pinned}
                draft={draft}
                chosen={chosen}
                {...(comment && { onPin: setDraft })}
                onChoose={choose}
              />
            ) : (
              <p className={classes.by}>{WAITING[picture.state]}</p>
            )}
          </div>
          <section>
            <h2 className={classes.title}>Comments on this picture: {ofPicture.length}</h2>
            {comment &&
              (draft?.client === picture.client ? (
                <SayForm
                  key={`${draft.x} ${draft.y}`}
                  label={draft.x === undefined ? 'Comment on the whole picture' : 'Comment on this place'}
                  action="Comment"
                  hasFocus
                  onSay={async (text) => (await comment(draft, text), setDraft(undefined))}
                  onCancel={() => setDraft(undefined)}
                />
              ) : (
                <div className={classes.hint}>
                  <p className={classes.by}>Click into the picture to comment on a place.</p>
                  <Button size="xs" variant="default" onClick={() => setDraft({ client: picture.client })}>
                    Comment on the whole picture
                  </Button>
                </div>
              ))}
            <ul className={classes.threads} aria-label="Comments on this picture">
              {ofPicture.map(card)}
            </ul>
          </section>
        </div>
      ) : (
        <Notice title="No pictures yet">
          A preview test of this version makes the pictures that comments are pinned to.
        </Notice>
      )}
      <section className={classes.general}>
        <h2 className={classes.title}>Comments on the version: {ofVersion.length}</h2>
        <ul className={classes.threads} aria-label="Comments on the version">
          {ofVersion.map(card)}
        </ul>
        {comment && <SayForm label="Comment on the version" action="Comment" onSay={(text) => comment({}, text)} />}
      </section>
    </>
  );
}
