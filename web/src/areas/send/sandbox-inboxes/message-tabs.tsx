import { Alert, Loader, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { MessageView } from '../../../shared/report/message-view.tsx';
import viewerClasses from '../../../shared/report/viewer.module.css';
import { AttachedFiles } from '../../../shared/send/attached-files.tsx';
import { shownQuery, sourceQuery, type Message } from './sandbox-api.ts';
import classes from './sandbox.module.css';

const NOTHING = (): void => undefined;
/** Only pictures that stand in the HTML itself are drawn. */
const OWN_PICTURES = new Map<string, string>();
const NO_PLACES: readonly undefined[] = [];

type Tab = 'html' | 'text' | 'source' | 'headers' | 'files';

function Html({ message }: { message: Message }) {
  const shown = useQuery(shownQuery(message));
  if (shown.error) return <Alert color="red">{sentenceOf(shown.error)}</Alert>;
  if (!shown.data) return <Loader size="sm" m="xl" aria-label="Loading the message" />;
  return (
    <MessageView
      source={shown.data}
      places={NO_PLACES}
      pictures={OWN_PICTURES}
      selected={undefined}
      onPick={NOTHING}
      onSeen={NOTHING}
      isPhone={false}
      isDark={false}
    />
  );
}

function Source({ message }: { message: Message }) {
  const source = useQuery(sourceQuery(message));
  if (source.error) return <Alert color="red">{sentenceOf(source.error)}</Alert>;
  if (!source.data) return <Loader size="sm" m="xl" aria-label="Loading the source" />;
  return (
    <pre className={mailClasses.text} tabIndex={0} aria-label="Source of the message">
      {source.data.text}
      {source.data.isCut && '\n…\nThe rest is in the file.'}
    </pre>
  );
}

const filesOf = ({ attachments }: Message) =>
  attachments.map(({ name, content_type: type, size_bytes: sizeBytes, url, thumbnail_url: thumbnailUrl }) => ({
    name,
    type,
    sizeBytes,
    url,
    thumbnailUrl,
  }));

function Headers({ message }: { message: Message }) {
  return (
    <dl className={mailClasses.headers} tabIndex={0} aria-label="Headers of the message">
      {message.headers.map(({ name, value }, place) => (
        <div key={place} className={mailClasses.header}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The message, part by part. Nothing of it runs, and nothing is loaded from its sender. */
export function MessageTabs({ message }: { message: Message }) {
  const [wanted, setWanted] = useState<Tab>('html');
  const tabs: { value: Tab; label: string }[] = [
    ...(message.html === null ? [] : [{ value: 'html' as const, label: 'HTML' }]),
    ...(message.text === null ? [] : [{ value: 'text' as const, label: 'Text' }]),
    { value: 'source', label: 'Source' },
    { value: 'headers', label: 'Headers' },
    ...(message.attachments.length === 0
      ? []
      : [{ value: 'files' as const, label: `Files (${message.attachments.length})` }]),
  ];
  const tab = tabs.some(({ value }) => value === wanted) ? wanted : tabs[0]!.value;
  return (
    <section className={viewerClasses.viewer} aria-label="The message">
      <div className={viewerClasses.bar}>
        <SegmentedControl
          size="xs"
          aria-label="Part of the message"
          value={tab}
          onChange={(value) => setWanted(value as Tab)}
          data={tabs}
        />
      </div>
      {tab === 'html' && <Html message={message} />}
      {tab === 'text' && (
        <pre className={mailClasses.text} tabIndex={0} aria-label="Text of the message">
          {message.text}
        </pre>
      )}
      {tab === 'source' && <Source message={message} />}
      {tab === 'headers' && <Headers message={message} />}
      {tab === 'files' && <AttachedFiles files={filesOf(message)} className={classes.files} />}
    </section>
  );
}
