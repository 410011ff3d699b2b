import { Tabs, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { addressQuery } from '../../ground/api.ts';
import { CopyField } from '../../ground/shell/copy-field.tsx';
import { laterPart } from '../../ground/shell/later-part.tsx';
import { bytes } from '../../ground/words.ts';
import type { Draft, SourceKind } from './draft.ts';
import classes from './message.module.css';

const FilePanel = laterPart(async () => (await import('./file-drop.tsx')).FilePanel);

/** Where Gmail cuts a message. */
const CLIPPED_BYTES = 102 * 1024;

function Size({ html }: { html: string }) {
  const size = new Blob([html]).size;
  if (size === 0) return null;
  return (
    <span className={classes.size} data-large={size > CLIPPED_BYTES || undefined}>
      {bytes(size)}
      {size > CLIPPED_BYTES && ' · Gmail clips messages beyond about 102 KB'}
    </span>
  );
}

const KINDS: Record<SourceKind, string> = { paste: 'Paste HTML', file: 'File', url: 'Web address', mail: 'By email' };

interface SourceInputProps {
  draft: Draft;
  kinds?: readonly SourceKind[];
  errors: Record<'html' | 'url' | 'mime', string | undefined>;
  onKind: (kind: SourceKind) => void;
  onHtml: (html: string) => void;
  onUrl: (url: string) => void;
  onFile: (file: File | undefined) => void;
  onClearFile: () => void;
}

function MailPanel() {
  const { data: address, error } = useQuery(addressQuery);
  if (error) return <p className={classes.error}>The address could not be loaded.</p>;
  return (
    <div className={classes.mail}>
      {address && <CopyField label="Send your message to" value={address} />}
      <p>
        Galley tests it in all default clients and lists the test a moment later. Send from your platform, or forward a
        message that you received.
      </p>
    </div>
  );
}

/** The message, in whichever way it comes. */
export function SourceInput({
  draft,
  kinds = ['paste', 'file', 'url', 'mail'],
  errors,
  onKind,
  onHtml,
  onUrl,
  onFile,
  onClearFile,
}: SourceInputProps) {
  return (
    <Tabs value={draft.kind} onChange={(kind) => onKind((kind ?? 'paste') as SourceKind)} keepMounted={false}>
      <Tabs.List aria-label="Message source">
        {kinds.map((kind) => (
          <Tabs.Tab key={kind} value={kind}>
            {KINDS[kind]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="paste" pt="md">
        <Textarea
          aria-label="HTML of the message"
          placeholder="<!doctype html>…"
          value={draft.html}
          error={errors.html}
          onChange={(event) => onHtml(event.currentTarget.value)}
          spellCheck={false}
          classNames={{ input: classes.code }}
          autoFocus
        />
        <Size html={draft.html} />
      </Tabs.Panel>
      <Tabs.Panel value="file" pt="md">
        <Suspense>
          <FilePanel
            draft={draft}
            error={draft.fileError ?? errors.mime ?? errors.html}
            onFile={onFile}
            onClearFile={onClearFile}
          />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="url" pt="md">
        <TextInput
          type="url"
          label="Web address"
          placeholder="https://example.com/newsletter.html"
          value={draft.url}
          error={errors.url}
          onChange={(event) => onUrl(event.currentTarget.value)}
          description="Galley fetches the page once and accepts only public addresses."
          autoFocus
        />
      </Tabs.Panel>
      <Tabs.Panel value="mail" pt="md">
        <MailPanel />
      </Tabs.Panel>
    </Tabs>
  );
}
