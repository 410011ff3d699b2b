import { Alert, Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { sentenceOf, statusOf } from '../../../ground/api.ts';
import { ReloadIcon } from '../../../ground/brand/icons.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { count, figure, nameBySubject } from '../../../ground/words.ts';
import { GatedActions, gatedQuery, GatedReason } from '../../../shared/send/gated.tsx';
import { ModeNote } from '../../../shared/send/mode-note.tsx';
import { useQueueActions } from '../../../shared/send/queue-actions.ts';
import { queuedQuery, storedQuery, type StoredMessage } from '../../../shared/send/send-api.ts';
import classes from '../../../shared/send/send.module.css';
import { ArchiveNote } from './archive-note.tsx';
import { MessageContent } from './message-content.tsx';
import { ResendDialog } from './resend-dialog.tsx';
import { Timeline } from './timeline.tsx';

interface NamesProps {
  domain: string;
  storageKey: string;
  subject: string;
}

/** What the gate said of the message, where its domain has one. */
function Gate({ storageKey, subject }: { storageKey: string; subject: string }) {
  const { data: gated } = useQuery(gatedQuery(storageKey));
  if (!gated) return null;
  return (
    <section className={classes.waits} aria-label="Gate">
      <p>
        <GatedReason gated={gated} />
      </p>
      <GatedActions gated={gated} subject={subject} />
    </section>
  );
}

const SHOWN = 5;

/** What of the message has not been delivered yet: for whom, why and until when. */
function Waiting({ storageKey, subject }: NamesProps) {
  const { data } = useQuery(queuedQuery({ message: storageKey }));
  const { canWrite } = useRole('messages');
  const { tryNow, askCancel } = useQueueActions(storageKey);
  // What the gate holds is said above, with what can be done about it.
  if (!data || data.items.every(({ state }) => state === 'held')) return null;
  return (
    <section className={classes.waits} aria-label="Waiting">
      <p>
        <strong>{count(data.meta.count, 'recipient is', 'recipients are')} still waiting.</strong>
      </p>
      <ul className={classes.files} aria-label="Who waits, and why">
        {data.items.slice(0, SHOWN).map((one) => (
          <li key={one.id}>
            <bdi>{one.recipient}</bdi>
            <span className={classes.stepAbout}>
              <bdi>{one.reason.slice(0, 400)}</bdi> {one.held_until === undefined ? 'It waits until' : 'It is dropped'}{' '}
              <When at={new Date(one.held_until ?? one.next_attempt_at)} />
              {one.held_until === undefined ? '.' : ' if nobody decides.'}
            </span>
          </li>
        ))}
      </ul>
      {data.meta.count > SHOWN && (
        <p>
          These are {SHOWN} of {figure(data.meta.count)}; the queue lists all of them.
        </p>
      )}
      {canWrite && (
        <span className={classes.actions}>
          {data.items.some(({ state }) => state === 'deferred') && (
            <Button size="xs" variant="default" onClick={() => void tryNow()}>
              Try now
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => askCancel(subject)}>
            Cancel what waits
          </Button>
        </span>
      )}
    </section>
  );
}

/** Why the content cannot be shown. */
function NoContent({ error }: { error: unknown }) {
  if (statusOf(error) === 410)
    return (
      <Notice title="The content is no longer stored">
        Galley keeps the content of a message for three days. What happened to it is kept longer and shown here.
      </Notice>
    );
  return (
    <Alert color="red" title="The content could not be loaded">
      {sentenceOf(error)}
    </Alert>
  );
}

/** One message: what happened to it, and what was sent. */
export function MessagePage() {
  const { domain, storageKey } = useParams({ from: '/shell/messages/$domain/$storageKey' });
  const { id: given } = useSearch({ from: '/shell/messages/$domain/$storageKey' });
  const stored = useQuery(storedQuery(domain, storageKey));
  const { canWrite } = useRole('messages');
  const [isResending, resending] = useDisclosure();
  if (statusOf(stored.error) === 404)
    return (
      <Notice
        isPage
        title="Message not found"
        action={<Button renderRoot={(props) => <Link to="/messages" {...props} />}>All messages</Button>}
      >
        It belongs to another account, or its events are older than this account keeps them.
      </Notice>
    );
  const { 'Message-Id': messageId }: Partial<StoredMessage> = stored.data ?? {};
  const id = given ?? (messageId ?? '').replace(/^<(.*)>$/, '$1');
  const subject = nameBySubject(stored.data?.subject ?? '');
  const title = stored.data ? subject : stored.isPending ? 'Message' : 'Message without stored content';
  return (
    <>
      <PageHead title={title.slice(0, 200)} tabTitle={`${title.slice(0, 80)} · Message`} lead={<ModeNote />}>
        {canWrite && stored.data && (
          <Button size="xs" variant="default" leftSection={<ReloadIcon />} onClick={resending.open}>
            Send again
          </Button>
        )}
      </PageHead>
      <div className={classes.sides}>
        <div>
          <Gate storageKey={storageKey} subject={subject} />
          <Waiting domain={domain} storageKey={storageKey} subject={subject} />
          <ArchiveNote storageKey={storageKey} />
          {id !== '' && <Timeline domain={domain} storageKey={storageKey} messageId={id} />}
          {id === '' && !stored.isPending && (
            <Alert title="Open it from the list of messages">
              The address of this page does not name the message, and its content is gone, so its events cannot be
              found.
            </Alert>
          )}
        </div>
        <div>
          {stored.isPending && <Skeleton height={420} />}
          {stored.data && <MessageContent stored={stored.data} />}
          {stored.error && <NoContent error={stored.error} />}
        </div>
      </div>
      {isResending && (
        <ResendDialog domain={domain} storageKey={storageKey} subject={subject} onClose={resending.close} />
      )}
    </>
  );
}
