// What to do about rules of the filters that operators run; by name, and by family where a family has one remedy.
const FIXES: readonly (readonly [names: RegExp, fix: string])[] = [
  [/^(MISSING_DATE|INVALID_DATE|DATE_IN_.*)$/, 'Send a Date field with the time of sending.'],
  [/^(MISSING_MID|MSGID_.*|INVALID_MSGID|MID_.*)$/, 'Give every message a Message-ID of your own domain.'],
  [/^(MISSING_SUBJECT|EMPTY_SUBJECT)$/, 'Give the message a subject.'],
  [/^(SUBJ_ALL_CAPS|SUBJ_.*CAPS.*)$/, 'Write the subject in normal case.'],
  [/^(MIME_HTML_ONLY|MIME_HEADER_CTYPE_ONLY|HTML_MIME_NO_HTML_TAG)$/, 'Send a plain text part beside the HTML.'],
  [/^(MPART_ALT_DIFF.*|R_PARTS_DIFFER)$/, 'Let the text part say what the HTML says.'],
  [/^(HTML_IMAGE_ONLY_.*|HTML_SHORT_LINK_IMG_.*|HTML_IMAGE_RATIO_.*|R_.*IMG.*)$/, 'Write more of the message as text; pictures alone look like hidden text.'],
  [/^(HTML_FONT_LOW_CONTRAST|HTML_FONT_TINY.*|ZERO_FONT|R_WHITE_ON_WHITE|MANY_INVISIBLE_PARTS)$/, 'Remove text that readers cannot see.'],
  [/^(SPF_FAIL|SPF_SOFTFAIL|SPF_HELO_.*|R_SPF_.*)$/, 'Add the sending address to the SPF record of the domain in MAIL FROM.'],
  [/^(DKIM_INVALID|R_DKIM_(REJECT|TEMPFAIL|PERMFAIL|NA)|DKIM_ADSP_.*|T_DKIM_INVALID)$/, 'Sign with DKIM, and publish the key that signs.'],
  [/^(DMARC_.*)$/, 'Let SPF or DKIM pass for the domain in From, or one that aligns with it.'],
  [/^(RDNS_NONE|RDNS_DYNAMIC|HFILTER_.*|FCRDNS.*|RCVD_.*RDNS.*)$/, 'Give the sending address a name in reverse DNS that leads back to it, and greet with that name.'],
  [/^(HELO_.*)$/, 'Greet with the full host name of the sending server.'],
  [/^(URIBL_.*|URI_.*BLOCKED|SURBL_.*|DBL_.*)$/, 'A domain in a link is on a blocklist: remove the link, or have the domain delisted.'],
  [/^(RCVD_IN_.*|RBL_.*|RECEIVED_.*BL.*)$/, 'The sending address is on a blocklist: find out why at the list, then have it delisted.'],
  [/^(SUSPICIOUS_URL.*|PHISH.*|HTTP_TO_IP|NUMERIC_HTTP_ADDR|R_SUSPICIOUS_URL|NORMAL_HTTP_TO_IP)$/, 'Link to names of your own domain over https, and let link texts say where they lead.'],
  [/^(SHORT_URL.*|URI_ONLY_.*|.*_SHORTENER.*)$/, 'Link directly instead of through a link shortener.'],
  [/^(FREEMAIL_.*)$/, 'Send from, and let replies go to, an address of your own domain.'],
  [/^(FROM_.*|FROMHOST_.*|MISSING_FROM)$/, 'Write From as a name and one address of your own domain.'],
  [/^(TO_.*|MISSING_TO|MISSING_HEADERS|UNDISC_.*)$/, 'Address the message to its reader in To.'],
  [/^(BODY_.*|DEAR_.*|MONEY_.*|LOTS_OF_MONEY|ADVANCE_FEE.*|MILLION_.*|URG_BIZ|DRUGS_.*|FUZZY_.*)$/, 'Reword the passage: it reads like what spam says.'],
  [/^(MANY_.*URL.*|.*EXCESS.*)$/, 'Use fewer of them.'],
  [/^(GTUBE)$/, 'This is the test string for spam filters; remove it.'],
  [/^(SUBJECT_.*EXCLAIM.*|SUBJECT_.*QUESTION.*|PLING_.*)$/, 'Leave out exclamation and question marks that only shout.'],
  [/^(HAS_ATTACHMENT|.*_ATTACH.*|MIME_BAD_.*)$/, 'Link to the file instead of attaching it, or use a harmless format.'],
];

/** One sentence, or null for a rule that is not known here or speaks for the message. */
export function fixOfFilterRule(name: string): string | null {
  return FIXES.find(([names]) => names.test(name))?.[1] ?? null;
}
