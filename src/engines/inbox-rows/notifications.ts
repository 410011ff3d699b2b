// What a phone shows of a new message while it is locked.
import { cutAtCharacters } from './measure.ts';
import { shownLine } from './preview-text.ts';
import { readForInbox, type MessageForInbox, type ReadForInbox } from './rows.ts';
import { harmlessLine } from './hidden-characters.ts';
import { notificationsOfClients, sourceOf, type NotificationOfClient, type Source } from './table.ts';
import type { MessageHtml } from '../source/index.ts';

interface LockScreenNotification {
  id: string;
  name: string;
  system: string;
  /** The row of the same client, whose clients and avatar are its own. */
  row: string;
  app: string;
  /** Empty where the message names no sender. */
  title: string;
  subject: string;
  /** Of the text; empty where it shows when unfolded only. */
  preview: string;
  /** Subject and text when the notification is unfolded; undefined where it shows all at once. */
  unfolded?: { subject: string; preview: string };
  isCut: boolean;
  room: { characters: number; lines: number };
  /** What shows instead while the phone hides what is private. */
  locked?: { text: string; when: string };
  sources: readonly Source[];
}

/** Of phones whose notifications are published; of all others nothing is known. Texts are harmless to show. */
export function lockScreenNotifications(message: MessageForInbox, read?: MessageHtml): LockScreenNotification[] {
  const mail = readForInbox(message, read);
  return notificationsOfClients.map((one) => notificationOf(one, mail));
}

/** Subject and text have their room together, the subject first. */
function sharedRoom({ subject, text }: { subject: string; text: string }, characters: number) {
  const first = cutAtCharacters(subject, characters);
  const left = characters - [...first.shown].length;
  const second = first.isCut || left < 2 ? { shown: '', isCut: text !== '' } : cutAtCharacters(text, left);
  return { subject: first.shown, preview: second.shown, isCut: first.isCut || second.isCut };
}

function notificationOf(one: NotificationOfClient, mail: ReadForInbox): LockScreenNotification {
  const { id, name, system, row, app, lines, characters, titleCharacters, locked } = one;
  const sender = mail.sender ? mail.sender.name || mail.sender.address : '';
  const text = harmlessLine(shownLine(mail.text));
  const whole = sharedRoom({ subject: mail.subject, text }, characters);
  const isFolded = one.text === 'subject';
  const names = [one.source, one.textSource, locked?.source].filter((source) => source !== undefined);
  return {
    id,
    name,
    system,
    row,
    app,
    title: titleCharacters === undefined ? sender : cutAtCharacters(sender, titleCharacters).shown,
    subject: whole.subject,
    preview: isFolded ? '' : whole.preview,
    ...(isFolded && { unfolded: { subject: whole.subject, preview: whole.preview } }),
    isCut: whole.isCut,
    room: { characters, lines },
    ...(locked && { locked: { text: locked.shows === 'app' ? 'Notification' : '1 new message', when: locked.when } }),
    sources: names.map(sourceOf),
  };
}
