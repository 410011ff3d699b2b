// List-Unsubscribe of messages that ask for a link to unsubscribe: by the field, clients show a button of their own.

/** `link` is List-Unsubscribe (RFC 2369), `post` says beside it that one POST is enough (RFC 8058). */
export type OneClick = 'none' | 'link' | 'post';

const LINK = { name: 'List-Unsubscribe', value: '<%tag_unsubscribe_url%>' };
const POST = { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' };

/** The fields to put into a header. What the sender wrote stands, and what is to be left out is left out. */
export function unsubscribeFields(
  oneClick: OneClick,
  { names, isLeftOut }: { names: readonly string[]; isLeftOut: (name: string) => boolean },
): { name: string; value: string }[] {
  const has = ({ name }: { name: string }): boolean => names.some((one) => one.toLowerCase() === name.toLowerCase());
  if (oneClick === 'none' || has(LINK) || isLeftOut(LINK.name)) return [];
  return oneClick === 'post' && !has(POST) && !isLeftOut(POST.name) ? [LINK, POST] : [LINK];
}
