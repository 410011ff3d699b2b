import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { actingFor, pathOf } from '../../../ground/api.ts';
import { DownloadIcon } from '../../../ground/brand/icons.tsx';
import { Facts } from '../../../ground/shell/facts.tsx';
import { bytes, figure } from '../../../ground/words.ts';
import { MessagePanel, type MessagePart } from '../../../shared/mail/message-panel.tsx';
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
  // A link carries the session of who signed in, and not the account that they act for.
  const isOpen = actingFor() === null;
  return (
    <section aria-label="Files">
      <ul className={classes.files}>
        {files.map(({ name, size, url, 'content-type': type }, place) => (
          <li key={place}>
            <bdi>{name || 'Unnamed file'}</bdi>
            <span className="dim">
              <bdi>{type.slice(0, 100)}</bdi>, {bytes(size)}
            </span>
            {url !== undefined && isOpen && (
              <Button
                component="a"
                href={pathOf(url)}
                download
                size="compact-xs"
                variant="default"
                leftSection={<DownloadIcon />}
                aria-label={`Download ${name || 'the file'}`}
              >
                Download
              </Button>
            )}
          </li>
        ))}
      </ul>
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
