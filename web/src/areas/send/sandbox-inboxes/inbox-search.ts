// What the address of an inbox remembers.

interface InboxSearch {
  /** The message that is open. */
  message?: string;
  search?: string;
}

export function readInboxSearch({ message, search }: Record<string, unknown>): InboxSearch {
  const texts = Object.entries({ message, search }).filter(([, value]) => typeof value === 'string' && value !== '');
  return Object.fromEntries(texts);
}
