import type { Static } from 'typebox';
import { TABLE_DATE, type Room } from '../../../engines/inbox-rows/index.ts';
import type { ShownInbox } from './computations.ts';
import type { getInbox } from './contract.ts';
import type { FoundLogo } from './logo.ts';

type Inbox = Static<typeof getInbox.reply>;

function roomView(room: Room | undefined) {
  if (!room) return null;
  return 'characters' in room ? { characters: room.characters } : { pixels: room.pixels, lines: room.lines };
}

function textView({ shown, isCut, room }: { shown: string; isCut: boolean | undefined; room: Room | undefined }) {
  return { shown, is_cut: isCut ?? null, room: roomView(room) };
}

function logoView({ result, domain, logoUrl, certificateUrl, policy, picture }: FoundLogo): Inbox['logo'] {
  return {
    result,
    domain: domain ?? null,
    logo_url: logoUrl ?? null,
    certificate_url: certificateUrl ?? null,
    dmarc_policy: policy ?? null,
    picture: picture ? `data:image/png;base64,${picture.toString('base64')}` : null,
  };
}

/** `tested`: the clients of the test. */
function rowView(
  { client, clients, preview, subject, sender, avatar, ...row }: ShownInbox['rows'][number],
  tested: ReadonlySet<string>,
) {
  const { kind, text, note } = avatar;
  const { name, system, layout, notes, sources } = row;
  return {
    id: client,
    name,
    system,
    client_ids: [...clients],
    in_test: clients.some((id) => tested.has(id)),
    is_simulated: true as const,
    layout,
    sender: sender ?? null,
    avatar: { kind, text, ...(note !== undefined && { note }) },
    subject: textView(subject),
    preview: preview ? { ...textView(preview), body_text: preview.bodyText } : null,
    notes: [...notes],
    sources: [...sources],
  };
}

/** `clientIds` are those of the test; a client in dark mode has the inbox of its light one. */
export function inboxView(
  { read, rows, notifications }: ShownInbox,
  { testId, clientIds, logo }: { testId: string; clientIds: readonly string[]; logo: FoundLogo },
): Inbox {
  const tested = new Set(clientIds.map((id) => id.replace(/_dm$/, '')));
  const shown = rows.map((row) => rowView(row, tested));
  const byId = new Map(shown.map((row) => [row.id, row]));
  return {
    test_id: testId,
    sender: read.sender ?? null,
    subject: read.subject,
    preheader: {
      text: read.preheader.text,
      is_padded: read.preheader.isPadded,
      first_visible: read.preheader.firstVisible,
    },
    hidden_characters: read.hiddenCharacters.map(({ codePoint, turnsText, ...one }) => ({
      ...one,
      code_point: codePoint,
      turns_text: turnsText,
    })),
    logo: logoView(logo),
    rows: shown,
    notifications: notifications.map(({ row, isCut, sources, ...one }) => ({
      ...one,
      client_ids: byId.get(row)?.client_ids ?? [],
      in_test: byId.get(row)?.in_test ?? false,
      is_simulated: true as const,
      is_cut: isCut,
      sources: [...sources],
    })),
    data_date: TABLE_DATE,
  };
}
