import { useMemo, useState } from 'react';
import { Facts } from '../../../ground/shell/facts.tsx';
import { figure } from '../../../ground/words.ts';
import { MessagePanel, type MessagePart } from '../../../shared/mail/message-panel.tsx';
import { AttachedFiles } from '../../../shared/send/attached-files.tsx';
import type { StoredMessage } from '../../../shared/send/send-api.ts';
import classes from '../../../shared/send/send.module.css';

const NOTHING = (): void => undefined;
/** So many recipients are named. */
const NAMED_MAX = 20;

function recipientsOf(recipients: string): string {
  const all = recipients.split(', ');
  if (all.length <= NAMED_MAX) return recipients;
  return `${all.slice(0, NAMED_MAX).join(', ')} and ${figure(all.length - NAMED_MAX)} more`;
}

function Files({ files }: { files: NonNullable<StoredMessage['attachments']> }) {
  if (files.length === 0) return null;
  const shown = files.map(({ name, size, url, 'content-type': type }) => ({ name, type, sizeBytes: size, url }));
  return (
    <section aria-label="Files">
      <AttachedFiles files={shown} />
    </section>
  );
}

/** What was sent, as it was accepted. */
export function MessageContent({ stored }: { stored: StoredMessage }) {
  const [view, setView] = useState<MessagePart>('message');
  const content = useMemo(
    () => ({
      subject: stored.subject,
      html: stored['body-html'] || null,
      text: stored['body-plain'] || null,
      headers: (stored['message-headers'] ?? []).map(([name = '', value = '']) => ({ name, value })),
    }),
    [stored],
  );
  return (
    <section aria-label="Content">
      <h2 className={classes.part}>Content</h2>
      <Facts
        facts={[
          ['From', <bdi key="from">{stored.from}</bdi>],
          ['To', <bdi key="to">{recipientsOf(stored.recipients)}</bdi>],
          ['Envelope sender', <bdi key="sender">{stored.sender}</bdi>],
        ]}
      />
      <div className={classes.content}>
        <MessagePanel
          content={content}
          places={[]}
          selected={undefined}
          view={view}
          onView={setView}
          onPick={NOTHING}
        />
      </div>
      <Files files={stored.attachments ?? []} />
    </section>
  );
}
