// The row of a message in the list of each client.
import { readForChecks, type MessageHtml } from '../source/index.ts';
import { avatarOf, type Avatar, type Sender, type SenderLogo } from './avatar.ts';
import { harmlessLine, hiddenCharactersIn, type HiddenCharacter } from './hidden-characters.ts';
import { cutAtCharacters, cutAtWidth, widthOf, type Cut } from './measure.ts';
import { charactersOf, LOOKED_AT, previewSource, readPreheader, shownLine, type Preheader } from './preview-text.ts';
import { rowsOfClients, sourceOf, type Room, type RowLayout, type RowOfClient, type Source } from './table.ts';

export interface MessageForInbox {
  /** Decoded text of the HTML part; empty without one. */
  html: string;
  /** The text part, which lists take where there is no HTML. */
  text?: string | undefined;
  /** Decoded (RFC 2047). */
  subject?: string | undefined;
  /** Undefined: the message names none. */
  sender?: Sender | undefined;
  /** Undefined: not known. */
  logo?: SenderLogo | undefined;
}

interface ShownText {
  shown: string;
  /**
   * Of a preview with a preheader: whether that is cut. Undefined: how much shows is not known, and `shown` is more of
   * it than any list shows.
   */
  isCut: boolean | undefined;
  /** Undefined: not known. */
  room: Room | undefined;
}

interface ShownPreview extends ShownText {
  /** What of the body's own text shows behind the preheader; empty when nothing does. */
  bodyText: string;
}

/** What a fact of a row rests on. */
interface SourceOfPart extends Source {
  of: 'subject' | 'preview' | 'avatar' | 'logo' | 'note';
}

export interface InboxRow {
  client: string;
  name: string;
  system: string;
  /** Ids of the clients whose list this is. */
  clients: readonly string[];
  layout: RowLayout;
  /** The name, or the address of a sender without one; undefined where the message names none. */
  sender: string | undefined;
  avatar: Avatar;
  subject: ShownText;
  /** Undefined where the list shows no preview. */
  preview?: ShownPreview;
  notes: readonly string[];
  sources: readonly SourceOfPart[];
}

export interface ReadForInbox {
  sender: Sender | undefined;
  subject: string;
  preheader: Preheader;
  hiddenCharacters: HiddenCharacter[];
  /** What lists take their preview of. */
  text: string;
}

const SENDER_LENGTH_MAX = 1000;
/** Where the length is not known, this many characters stand for it: no published figure is higher. */
const UNKNOWN_CHARACTERS = 255;

/** What lists read of a message, made harmless. `read` is the HTML where somebody has read it. */
export function readForInbox(message: MessageForInbox, read?: MessageHtml): ReadForInbox {
  const mail = readForChecks({ html: message.html }, read);
  const subject = (message.subject ?? '').slice(0, LOOKED_AT);
  const given = message.sender && {
    name: message.sender.name.slice(0, SENDER_LENGTH_MAX),
    address: message.sender.address.slice(0, SENDER_LENGTH_MAX),
  };
  const text = previewSource(mail.runs, message.text);
  const { text: hidden, firstVisible, isPadded } = readPreheader(mail);
  return {
    sender: given && { name: harmlessLine(given.name), address: harmlessLine(given.address) },
    subject: harmlessLine(subject),
    preheader: { text: harmlessLine(hidden), firstVisible: harmlessLine(firstVisible), isPadded },
    hiddenCharacters: [
      ...hiddenCharactersIn(`${given?.name ?? ''} ${given?.address ?? ''}`, 'sender'),
      ...hiddenCharactersIn(subject, 'subject'),
      ...hiddenCharactersIn(text, 'preview'),
    ],
    text,
  };
}

/**
 * Sender, avatar, subject and preview as the list of each client shows them. The preview is the body's first text,
 * hidden text included; padding takes up its room without being seen. Texts are harmless to show: see
 * {@link harmlessLine}.
 */
export function inboxRows(message: MessageForInbox, read?: MessageHtml): InboxRow[] {
  const mail = readForInbox(message, read);
  return rowsOfClients.map((row) => rowOf(row, mail, message.logo));
}

/** The name that a list shows. */
function shownSender(sender: Sender | undefined): string | undefined {
  return sender && (sender.name || sender.address);
}

function rowOf(row: RowOfClient, mail: ReadForInbox, logo: SenderLogo | undefined): InboxRow {
  const preview = previewIn(row, mail);
  const avatar = avatarOf(row, mail.sender, logo);
  return {
    client: row.id,
    name: row.name,
    system: row.system,
    clients: row.clients,
    layout: row.layout,
    sender: shownSender(mail.sender),
    avatar,
    subject: shownIn(mail.subject, row.subject),
    ...(preview && { preview }),
    notes: (row.notes ?? []).map(({ text }) => text),
    sources: sourcesOf(row),
  };
}

function sourcesOf({ subject, preview, text, filler, avatar, logo, notes = [] }: RowOfClient): SourceOfPart[] {
  const named = [
    { of: 'subject' as const, name: subject?.source },
    { of: 'preview' as const, name: preview?.source },
    { of: 'preview' as const, name: text?.source },
    { of: 'preview' as const, name: filler?.source },
    { of: 'avatar' as const, name: avatar?.source },
    { of: 'logo' as const, name: logo?.source },
    ...notes.map(({ source }) => ({ of: 'note' as const, name: source })),
  ];
  return named.flatMap(({ of, name }) => (name === undefined ? [] : [{ of, ...sourceOf(name) }]));
}

function shownIn(text: string, room: Room | undefined): ShownText {
  if (!room) return { shown: cutAtCharacters(text, UNKNOWN_CHARACTERS).shown, isCut: undefined, room };
  return { ...cutIn(text, room), room };
}

function cutIn(text: string, room: Room, taken?: number): Cut {
  return 'characters' in room
    ? cutAtCharacters(text, room.characters)
    : cutAtWidth(text, { ...room, ...(taken !== undefined && { taken }) });
}

/** The text as the client takes it, before it is cut. */
function textFor({ text: rule, filler }: RowOfClient, { text }: ReadForInbox): string {
  const kept = filler ? withoutFiller(text, filler.dropped) : text;
  if (!rule) return kept;
  return shownLine(kept.replace(/https?:\/\/\S+/g, rule.addressesAs)).slice(0, rule.charactersMax);
}

/** Without runs of the characters, where at least two of them stand together with nothing but blanks between. */
function withoutFiller(text: string, dropped: string): string {
  return text.replace(new RegExp(`(?:[${dropped}] ?){2,}`, 'gu'), ' ');
}

function previewIn(row: RowOfClient, mail: ReadForInbox): ShownPreview | undefined {
  const { preview: room } = row;
  if (room && 'characters' in room && room.characters === 0) return undefined;
  const { preheader } = mail;
  const source = textFor(row, mail);
  if (room && !('characters' in room)) {
    const taken = room.followsSender ? widthOf(`${shownSender(mail.sender) ?? ''} `, { ...room, weight: 'bold' }) : 0;
    const cut = cutIn(harmlessLine(shownLine(source)), room, taken);
    return { ...cut, room, bodyText: bodyTextIn(cut.shown, preheader) };
  }
  const limit = room ? room.characters : UNKNOWN_CHARACTERS;
  const characters = charactersOf(source);
  // Padding is room that nobody sees anything in, so the text is cut before it is taken away.
  const seen = harmlessLine(shownLine(characters.slice(0, limit).join('')));
  const isLonger = preheader.text ? charactersOf(preheader.text).length > limit : characters.length > limit;
  const shown = isLonger ? `${seen}…` : seen;
  return { shown, isCut: room && isLonger, room, bodyText: bodyTextIn(seen, preheader) };
}

function bodyTextIn(shown: string, { text }: Preheader): string {
  return text && shown.startsWith(text) ? shown.slice(text.length).trim() : '';
}
