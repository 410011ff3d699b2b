import { ActionIcon, Button, Tabs, Textarea, TextInput, VisuallyHidden } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.layer.css';
import { Cross2Icon, FileTextIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { addressQuery } from '../../api.ts';
import { CopyField } from '../../shell/copy-field.tsx';
import { bytes } from '../../words.ts';
import type { Draft, SourceKind } from './draft.ts';
import classes from './new-preview-page.module.css';

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

interface SourceInputProps {
  draft: Draft;
  errors: Record<'html' | 'url' | 'mime', string | undefined>;
  onKind: (kind: SourceKind) => void;
  onHtml: (html: string) => void;
  onUrl: (url: string) => void;
  onFile: (file: File | undefined) => void;
  onClearFile: () => void;
}

function FilePanel({ draft, errors, onFile, onClearFile }: Pick<SourceInputProps, 'draft' | 'errors' | 'onFile' | 'onClearFile'>) {
  const open = useRef<() => void>(null);
  const error = draft.fileError ?? errors.mime ?? (draft.kind === 'file' ? errors.html : undefined);
  return (
    <>
      {draft.file ? (
        <div className={classes.file}>
          <FileTextIcon width={20} height={20} />
          <span className={classes.fileName}>{draft.file.name}</span>
          <span className="dim">{draft.file.kind === 'mime' ? 'whole message' : 'HTML'}, {bytes(draft.file.sizeBytes)}</span>
          <ActionIcon ml="auto" aria-label="Remove the file" onClick={onClearFile}><Cross2Icon /></ActionIcon>
        </div>
      ) : (
        <Dropzone openRef={open} onDrop={(files) => onFile(files[0])} onReject={(rejected) => onFile(rejected[0]?.file)} multiple={false} maxSize={50 * 1024 * 1024} className={classes.drop} aria-label="Choose a file" activateOnClick={false} enablePointerEvents inputProps={{ 'aria-label': 'File' }}>
          <span className={classes.dropTitle}>Drop an .html or .eml file</span>
          <span className="dim">An .eml brings its subject and its inline images along.</span>
          <Button variant="default" size="xs" onClick={() => open.current?.()}>Choose a file</Button>
        </Dropzone>
      )}
      {error && <p className={classes.error} role="alert">{error}</p>}
    </>
  );
}

function MailPanel() {
  const { data: address, error } = useQuery(addressQuery);
  if (error) return <p className={classes.error}>The address could not be loaded.</p>;
  return (
    <div className={classes.mail}>
      {address && <CopyField label="Send your message to" value={address} />}
      <p>It becomes a test in all default clients, and appears among the tests a moment later. Use it from your sending platform, or forward what you received.</p>
    </div>
  );
}

/** The message, in whichever way it comes. */
export function SourceInput({ draft, errors, onKind, onHtml, onUrl, onFile, onClearFile }: SourceInputProps) {
  return (
    <Tabs value={draft.kind} onChange={(kind) => onKind((kind ?? 'paste') as SourceKind)} keepMounted={false}>
      <Tabs.List aria-label="How the message comes">
        <Tabs.Tab value="paste">Paste HTML</Tabs.Tab>
        <Tabs.Tab value="file">File</Tabs.Tab>
        <Tabs.Tab value="url">Web address</Tabs.Tab>
        <Tabs.Tab value="mail">By mail</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="paste" pt="md">
        <Textarea label={<VisuallyHidden>HTML of the message</VisuallyHidden>} placeholder="<!doctype html>…" rows={17} value={draft.html} error={errors.html} onChange={(event) => onHtml(event.currentTarget.value)} spellCheck={false} classNames={{ input: classes.code }} autoFocus />
        <Size html={draft.html} />
      </Tabs.Panel>
      <Tabs.Panel value="file" pt="md">
        <FilePanel draft={draft} errors={errors} onFile={onFile} onClearFile={onClearFile} />
      </Tabs.Panel>
      <Tabs.Panel value="url" pt="md">
        <TextInput type="url" label="Address of the page" placeholder="https://example.com/newsletter.html" value={draft.url} error={errors.url} onChange={(event) => onUrl(event.currentTarget.value)} description="Galley fetches it once, from public addresses only." autoFocus />
      </Tabs.Panel>
      <Tabs.Panel value="mail" pt="md">
        <MailPanel />
      </Tabs.Panel>
    </Tabs>
  );
}
