// What stands for a sender in a list: its logo, letters of its name, a generic picture, or nothing.
import { charactersOf } from './preview-text.ts';
import type { AvatarKind, RowOfClient } from './table.ts';

export interface Sender {
  /** As written, decoded; empty without one. */
  name: string;
  address: string;
}

/** What is known of the sender's logo (BIMI). */
export interface SenderLogo {
  /** A record that names one stands, and the domain's DMARC policy is enforced. */
  isPublished: boolean;
  hasCertificate: boolean;
}

export interface Avatar {
  kind: 'logo' | 'letters' | 'generic' | 'none' | 'unknown';
  /** Of `letters`. */
  text: string;
  /** What a reader should know: why there is no logo, or what may stand there instead. */
  note?: string;
  source?: string;
}

/** The avatar in a list. `logo` is undefined where it is not known. */
export function avatarOf(row: RowOfClient, sender: Sender | undefined, logo: SenderLogo | undefined): Avatar {
  const shown = logo?.isPublished ? logoIn(row, logo) : undefined;
  if (shown?.isShown) return { kind: 'logo', text: '', source: row.logo!.source };
  const note = shown?.note;
  const { avatar } = row;
  if (!avatar || !sender) return { kind: 'unknown', text: '', ...(note && { note }) };
  const text = lettersOf(avatar.kind, sender);
  const kind = avatar.kind === 'none' ? 'none' : text === '' ? 'generic' : 'letters';
  const said = note ?? (avatar.kind === 'monogram' ? 'For organizations a generic icon may stand there.' : undefined);
  return { kind, text, ...(said && { note: said }), source: avatar.source };
}

/** Whether the list shows a logo that is published, and why not. */
function logoIn({ logo: shows }: RowOfClient, logo: SenderLogo): { isShown: boolean; note?: string } {
  if (!shows || shows.where === 'never') return { isShown: false };
  if (shows.where === 'opened') return { isShown: false, note: 'The logo shows in the opened message only.' };
  if (shows.where === 'unknown') return { isShown: false, note: 'Whether the logo shows in the list is not known.' };
  if (shows.needs === 'provider')
    return { isShown: false, note: 'The logo shows only if the mailbox provider vouches for it.' };
  if (shows.needs === 'certificate' && !logo.hasCertificate)
    return { isShown: false, note: 'The logo has no mark certificate, which this client asks for.' };
  return { isShown: true };
}

function lettersOf(kind: AvatarKind, { name, address }: Sender): string {
  const shown = name || address;
  switch (kind) {
    case 'none':
      return '';
    case 'english-letter':
      return /^[A-Za-z0-9]/.exec(shown)?.[0].toUpperCase() ?? '';
    case 'any-letter':
      return /\p{L}\p{M}{0,4}/u.exec(shown)?.[0].toUpperCase() ?? '?';
    case 'letter':
      return charactersOf(shown)[0]?.toUpperCase() ?? '';
    case 'initials':
      return initialsOf(shown);
    case 'monogram':
      return shown
        .split(' ')
        .filter((word) => /^\p{L}/u.test(word))
        .filter((_, place, words) => place === 0 || place === words.length - 1)
        .map((word) => charactersOf(word)[0]!.toUpperCase())
        .join('');
  }
}

const enclosed = /[([{][^)\]}]*[)\]}]/g;
const unsupported =
  /[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\u1100-\u11ff\u3040-\u318f\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff]/u;

/** Initials as Microsoft's design system makes them; see the source in the table. */
function initialsOf(name: string): string {
  const words = name
    .replace(enclosed, '')
    .replace(/[!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f]/g, '')
    .split(' ')
    .filter(Boolean);
  if (unsupported.test(name) || /^\+?\d[\d\s()-]*$/.test(name)) return '';
  const [first, second, third] = words;
  const last = words.length === 2 ? second : words.length === 3 ? third : undefined;
  return [first, last].map((word) => (word ? charactersOf(word)[0]!.toUpperCase() : '')).join('');
}
