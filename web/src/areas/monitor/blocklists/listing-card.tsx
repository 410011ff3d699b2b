import { Alert, Button, Group, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { Facts } from '../../../ground/shell/facts.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { everything, noteListing, type Listing, type Note } from './blocklists-api.ts';
import classes from './blocklists.module.css';

/** What the service says where removal was never asked for. */
const isNever = (at: string): boolean => at.startsWith('0001-');

function NoteForm({ listing }: { listing: Listing }) {
  const queries = useQueryClient();
  const [comment, setComment] = useState('');
  const note = useMutation({
    mutationFn: (given: Note) => noteListing(listing.id, given),
    onSuccess: () => (setComment(''), queries.invalidateQueries(everything)),
  });
  const isRequested = !isNever(listing.delist_requested_at);
  const words = comment.trim();
  const submit = (event: FormEvent): void => (event.preventDefault(), note.mutate({ comment: words }));
  return (
    <form onSubmit={submit} className={classes.note}>
      {note.error && (
        <Alert color="red" title="The note was not saved">
          {sentenceOf(note.error)}
        </Alert>
      )}
      <Textarea
        label="Comment"
        description="For the people of this account; the operator of the list hears nothing."
        autosize
        minRows={1}
        maxLength={500}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button type="submit" size="compact-sm" variant="default" disabled={words === ''} loading={note.isPending}>
          Add comment
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={note.isPending}
          onClick={() => note.mutate({ delist_requested: !isRequested })}
        >
          {isRequested ? 'Removal was not requested' : 'Removal was requested'}
        </Button>
      </Group>
    </form>
  );
}

/** One listing: what it means, who asks the list, and how to get off. */
export function ListingCard({ asset, listing }: { asset: string; listing: Listing }) {
  const { canWrite } = useRole();
  const { codes, reason, means, used_by: usedBy, remove, page, comments, delist_requested_at: requested } = listing;
  const said = codes.map(({ code, meaning }) => (meaning ? `${meaning} (${code})` : code)).join('; ');
  return (
    <article className={classes.listing} aria-label={`${asset} on ${listing.name}`}>
      <h3>
        <bdi>{asset}</bdi> on {listing.name}
      </h3>
      <Facts
        facts={[
          ['List', <bdi key="zone">{listing.list}</bdi>],
          ['Seen', <SeenFromTo key="seen" listing={listing} />],
          ['It answers', said || 'nothing more'],
          ...(reason ? [['It says', <q key="reason">{reason}</q>] as [string, ReactNode]] : []),
          ['What it means', means || 'The catalog does not say; the page of the operator may.'],
          ['Who asks the list', usedBy || 'No source names anybody who asks it.'],
          ['How to get off', remove || 'Find and mend the cause first, then ask the operator.'],
          ...(isNever(requested)
            ? []
            : [['Removal requested', <When key="at" at={new Date(requested)} />] as [string, ReactNode]]),
        ]}
      />
      {page && (
        <p>
          <a href={page} target="_blank" rel="noreferrer noopener">
            Page of the operator
          </a>
        </p>
      )}
      {comments.length > 0 && (
        <ul className={classes.comments} aria-label="Comments">
          {comments.map((text, place) => (
            <li key={place}>{text}</li>
          ))}
        </ul>
      )}
      {canWrite && <NoteForm listing={listing} />}
    </article>
  );
}

function SeenFromTo({ listing }: { listing: Listing }) {
  return (
    <>
      first <When at={new Date(listing.first_seen)} />, last <When at={new Date(listing.last_seen)} />
    </>
  );
}
