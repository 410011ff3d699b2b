// What is being written on the page of a new test, and how it is sent.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../ground/api.ts';
import { dataField, readMergeData } from './merge-data.ts';
import type { CheckName } from '../../ground/checks.ts';
import { readMessageFile, titleOf, type MessageFile } from './message-file.ts';

export type SourceKind = 'paste' | 'file' | 'url' | 'mail';

export interface Draft {
  kind: SourceKind;
  html: string;
  url: string;
  file: MessageFile | null;
  fileError: string | null;
  subject: string;
  /** The subject was typed, so the message's own does not replace it. */
  isSubjectOwn: boolean;
  referenceId: string;
  /** JSON, as it is typed. */
  mergeData: string;
}

const EMPTY: Draft = {
  kind: 'paste',
  html: '',
  url: '',
  file: null,
  fileError: null,
  subject: '',
  isSubjectOwn: false,
  referenceId: '',
  mergeData: '',
};

function withFoundSubject(draft: Draft, found: string | undefined): Draft {
  return draft.isSubjectOwn || found === undefined ? draft : { ...draft, subject: found };
}

const KEPT = 'galley.draft';

function keptDraft(name: string): Draft {
  const kept = sessionStorage.getItem(name);
  return kept ? { ...EMPTY, ...(JSON.parse(kept) as Partial<Draft>) } : EMPTY;
}

/** Keeps what was written while the tab is open, files aside. */
function keepDraft(name: string, { file: _file, fileError: _fileError, ...written }: Draft): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(written.kind === 'file' ? { ...written, kind: 'paste' } : written));
  } catch {
    // The browser's quota is smaller than the message; then it is not kept.
    sessionStorage.removeItem(name);
  }
}

export function forgetDraft(): void {
  sessionStorage.removeItem(KEPT);
}

/**
 * The draft of a page, by name, and what changes it. A sign-in in between, or a look at another page, does not lose it.
 */
export function useDraft(name = KEPT) {
  const [draft, setDraft] = useState(() => keptDraft(name));
  useEffect(() => {
    const later = setTimeout(keepDraft, 300, name, draft);
    return () => clearTimeout(later);
  }, [name, draft]);
  return {
    draft,
    set: (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes })),
    setSubject: (subject: string) => setDraft((before) => ({ ...before, subject, isSubjectOwn: subject !== '' })),
    setHtml: (html: string) => setDraft((before) => withFoundSubject({ ...before, html }, titleOf(html))),
    async setFile(file: File | undefined) {
      if (!file) return;
      try {
        const read = await readMessageFile(file);
        setDraft((before) => withFoundSubject({ ...before, kind: 'file', file: read, fileError: null }, read.subject));
      } catch (error) {
        setDraft((before) => ({
          ...before,
          kind: 'file',
          file: null,
          fileError: error instanceof Error ? error.message : String(error),
        }));
      }
    },
  };
}

/** A subject is encoded as its source is. */
function subjectBeside({ transfer_encoding: encoding }: { transfer_encoding?: 'base64' }, subject: string): string {
  return encoding === 'base64' ? btoa(String.fromCharCode(...new TextEncoder().encode(subject))) : subject;
}

/** The part of the request that is the message. */
export function sourceOf({ kind, html, url, file }: Draft) {
  if (kind === 'paste') return { html };
  if (kind === 'url') return { url: url.trim() };
  if (!file) return {};
  return file.kind === 'html' ? { html: file.content } : { mime: file.content, transfer_encoding: 'base64' as const };
}

export function isComplete({ kind, html, url, file, mergeData }: Draft): boolean {
  if (readMergeData(mergeData).fault !== undefined) return false;
  if (kind === 'paste') return html.trim() !== '';
  if (kind === 'url') return url.trim() !== '';
  return kind === 'file' && file !== null;
}

export interface Wanted {
  draft: Draft;
  clientIds: string[];
  imageBlocking: boolean;
  /** CSS pixels; null: what each client has. */
  paneWidth: number | null;
  checks: CheckName[];
}

export function useCreateTest() {
  return useMutation({
    mutationFn: ({ draft, clientIds, imageBlocking, paneWidth, checks }: Wanted) =>
      api.call('POST /v2/preview/tests', {
        body: {
          ...sourceOf(draft),
          ...dataField(draft.mergeData),
          subject: subjectBeside(sourceOf(draft), draft.subject.trim()),
          clients: clientIds,
          image_blocking: imageBlocking,
          pane_width: paneWidth,
          content_checking: Object.fromEntries(checks.map((name) => [name, true])),
          ...(draft.referenceId.trim() && { reference_id: draft.referenceId.trim() }),
        },
      }),
  });
}
