// Finds out what each folder of a server is for.
import type { ListResponse } from 'imapflow';
import type { MailboxFolder } from './types.ts';

/** Where the owner puts things: nothing arrives there. */
const OWN = new Set(['\\Drafts', '\\Sent', '\\Trash', '\\Flagged', '\\Important']);

export interface Folder extends MailboxFolder {
  /** "All mail": shows what is in other folders too, so it counts only for what is nowhere else. */
  isAll: boolean;
}

/**
 * By SPECIAL-USE (RFC 6154) where the server has it, else by the names that providers give; the inbox and spam come
 * first.
 */
export function readFolders(list: readonly ListResponse[], foldersMax: number): Folder[] {
  const rank = (folder: Folder) => (folder.isAll ? 3 : { inbox: 0, spam: 1, category: 2 }[folder.placement]);
  return list
    .filter(
      ({ flags, specialUse }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent') && !OWN.has(specialUse ?? ''),
    )
    .map(folderOf)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, foldersMax);
}

function folderOf({ path, name, specialUse }: ListResponse): Folder {
  if (specialUse === '\\Inbox' || path.toUpperCase() === 'INBOX')
    return { path, placement: 'inbox', category: null, isAll: false };
  if (specialUse === '\\Junk') return { path, placement: 'spam', category: null, isAll: false };
  const isAll = specialUse === '\\All';
  return { path, placement: 'category', category: isAll ? 'archive' : name.toLowerCase(), isAll };
}
