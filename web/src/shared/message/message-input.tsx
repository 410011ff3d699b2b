import { Tabs, Textarea } from '@mantine/core';
import { Suspense, useState } from 'react';
import { readMessageFile, titleOf, type MessageFile } from './message-file.ts';
import { useFileDrop } from './use-file-drop.ts';
import newPreviewClasses from './message.module.css';
import classes from '../mail/mail.module.css';
import { laterPart } from '../../ground/shell/later-part.tsx';

const FilePanel = laterPart(async () => (await import('./file-drop.tsx')).FilePanel);

export interface Written {
  kind: 'paste' | 'file';
  html: string;
  file: MessageFile | null;
  fileError: string | null;
}

const EMPTY: Written = { kind: 'paste', html: '', file: null, fileError: null };

/** The input for a message. `onSubject` is called with a subject that was found in it. */
export function useWritten(onSubject: (subject: string) => void) {
  const [written, setWritten] = useState(EMPTY);
  return {
    written,
    set: (changes: Partial<Written>) => setWritten((before) => ({ ...before, ...changes })),
    setHtml(html: string) {
      setWritten((before) => ({ ...before, html }));
      const title = titleOf(html);
      if (title) onSubject(title);
    },
    async setFile(file: File | undefined) {
      if (!file) return;
      try {
        const read = await readMessageFile(file);
        setWritten((before) => ({ ...before, kind: 'file', file: read, fileError: null }));
        if (read.subject) onSubject(read.subject);
      } catch (error) {
        setWritten((before) => ({
          ...before,
          kind: 'file',
          file: null,
          fileError: error instanceof Error ? error.message : String(error),
        }));
      }
    },
  };
}

/** Its HTML, or undefined where it is a whole message. */
export function htmlOf({ kind, html, file }: Written): string | undefined {
  if (kind === 'paste') return html;
  return file?.kind === 'html' ? file.content : undefined;
}

/** The whole message in base64, where one was dropped. */
export function mimeOf({ kind, file }: Written): string | undefined {
  return kind === 'file' && file?.kind === 'mime' ? file.content : undefined;
}

interface MessageInputProps {
  state: ReturnType<typeof useWritten>;
  error: string | undefined;
}

/** The message, pasted or dropped anywhere on the page. */
export function MessageInput({ state: { written, set, setHtml, setFile }, error }: MessageInputProps) {
  const isDragged = useFileDrop((file) => void setFile(file));
  const draft = {
    kind: 'file' as const,
    html: '',
    url: '',
    file: written.file,
    fileError: written.fileError,
    subject: '',
    isSubjectOwn: false,
    referenceId: '',
    mergeData: '',
  };
  return (
    <>
      <Tabs
        value={written.kind}
        onChange={(kind) => set({ kind: kind === 'file' ? 'file' : 'paste' })}
        keepMounted={false}
      >
        <Tabs.List aria-label="Message source">
          <Tabs.Tab value="paste">Paste HTML</Tabs.Tab>
          <Tabs.Tab value="file">File</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="paste" pt="md">
          <Textarea
            aria-label="HTML of the message"
            placeholder="<!doctype html>…"
            value={written.html}
            error={error}
            onChange={(event) => setHtml(event.currentTarget.value)}
            spellCheck={false}
            classNames={{ input: classes.code }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="file" pt="md">
          <Suspense>
            <FilePanel
              draft={draft}
              error={written.fileError ?? error}
              onFile={(file) => void setFile(file)}
              onClearFile={() => set({ file: null, fileError: null })}
            />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
      {isDragged && <div className={newPreviewClasses.fullDrop}>Drop it here</div>}
    </>
  );
}
