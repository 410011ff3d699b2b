// Rows of inboxes as an analysis keeps and shows them: subject and preview of each client of which a length is known.
import type { InboxRow } from '../../../engines/inbox-rows/index.ts';

interface ShownText {
  shown: string;
  /** Undefined: how much shows is not known. */
  isCut?: boolean;
}

/** A row as analyses keep it, those of older versions included. */
export interface KeptInboxRow {
  client: string;
  name: string;
  subject: ShownText;
  preview?: ShownText & { bodyText: string };
  /** Characters; 0 of a preview that no list shows, undefined: not known. */
  limits: { subject?: number; preview?: number };
  source: { what: string; url: string; date: string };
}

const shownText = ({ shown, isCut }: { shown: string; isCut: boolean | undefined }): ShownText => ({
  shown,
  ...(isCut !== undefined && { isCut }),
});

/** Rows of which neither length is known are left out. */
export function keptRows(rows: readonly InboxRow[]): KeptInboxRow[] {
  return rows.flatMap(({ client, name, subject, preview, sources }) => {
    const source = sources.find(({ of }) => of === 'subject') ?? sources.find(({ of }) => of === 'preview');
    if (!source) return [];
    const { room } = subject;
    const previewRoom = preview ? preview.room : { characters: 0 };
    return [
      {
        client,
        name,
        subject: shownText(subject),
        ...(preview && { preview: { ...shownText(preview), bodyText: preview.bodyText } }),
        limits: {
          ...(room && 'characters' in room && { subject: room.characters }),
          ...(previewRoom && 'characters' in previewRoom && { preview: previewRoom.characters }),
        },
        source: { what: source.what, url: source.url, date: source.date },
      },
    ];
  });
}

function textView({ shown, isCut }: ShownText) {
  return { shown, ...(isCut !== undefined && { is_cut: isCut }) };
}

export function inboxView({ client, name, subject, preview, limits, source: { what, url, date } }: KeptInboxRow) {
  return {
    client,
    name,
    subject: textView(subject),
    ...(preview && { preview: { ...textView(preview), body_text: preview.bodyText } }),
    limits,
    source: { what, ...(url && { url }), date },
  };
}
