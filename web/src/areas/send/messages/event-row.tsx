import { Link } from '@tanstack/react-router';
import { When } from '../../../ground/shell/when.tsx';
import { nameBySubject } from '../../../ground/words.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { replyOf, wordsOf } from '../../../shared/send/event-words.ts';
import type { SendEvent } from '../../../shared/send/send-api.ts';
import classes from '../../../shared/send/send.module.css';

/** What happened, as a small label. */
function EventChip({ event }: { event: SendEvent }) {
  const { name, tone } = wordsOf(event);
  return <Chip tone={tone}>{name}</Chip>;
}

/** An event in a list over all messages; it leads to its message. */
export function EventRow({ event }: { event: SendEvent }) {
  const status = event['delivery-status'];
  const subject = nameBySubject(event.message?.headers?.subject ?? '');
  const key = event.storage?.key;
  const messageId = event.message?.headers?.['message-id'];
  const title = (
    <bdi className={classes.subject} title={subject.slice(0, 500)}>
      {subject.slice(0, 300)}
    </bdi>
  );
  return (
    <li className={classes.event}>
      <span className={classes.when}>
        <When at={new Date(event['@timestamp'])} />
      </span>
      <span className={classes.kind}>
        <EventChip event={event} />
      </span>
      <span className={classes.what}>
        {key === undefined ? (
          title
        ) : (
          <Link
            to="/messages/$domain/$storageKey"
            params={{ domain: event.domain.name, storageKey: key }}
            search={messageId === undefined ? {} : { id: messageId }}
            className={classes.open}
          >
            {title}
          </Link>
        )}
        <span className={classes.facts}>
          {event.recipient !== undefined && <bdi>to {event.recipient}</bdi>}
          <span>from {event.domain.name}</span>
          {event.tags?.slice(0, 5).map((tag) => (
            <bdi key={tag}>#{tag}</bdi>
          ))}
        </span>
        {event.event === 'failed' && status && <bdi className={classes.reply}>{replyOf(status).slice(0, 300)}</bdi>}
      </span>
    </li>
  );
}
