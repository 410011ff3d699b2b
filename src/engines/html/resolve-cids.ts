const REFERENCE = /\bcid:([^\s"'<>()]+)/gi;
/** A quote written as an entity ends the URL just as the character does. */
const QUOTE_ENTITY = /&(?:quot|apos|#0*(?:34|39)|#x0*2[27]);.*$/i;

/**
 * Replaces each `cid:` URL (RFC 2392) of an HTML message, in attributes and in CSS, by what `urlOf` gives for its
 * Content-ID; a reference that `urlOf` does not know stays. The id is looked up as written, then with entities and
 * percent-encoding undone.
 */
export function resolveCids(html: string, urlOf: (contentId: string) => string | undefined): string {
  return html.replace(REFERENCE, (whole, written: string) => {
    const id = written.replace(QUOTE_ENTITY, '');
    const plain = id.replaceAll('&amp;', '&');
    const url = urlOf(id) ?? urlOf(plain) ?? urlOf(percentDecoded(plain));
    return url === undefined ? whole : url + written.slice(id.length);
  });
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
