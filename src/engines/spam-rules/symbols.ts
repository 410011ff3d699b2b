// What rules of SpamAssassin and Rspamd mean and what to do about them, in our words. Names as of SpamAssassin 4.0.1
// and Rspamd 3.4. `*` at the end stands for every name that starts so.
import type { SymbolAdvice } from './explain-symbol.ts';

const AUTHENTICATION: Record<string, SymbolAdvice> = {
  'SPF_FAIL R_SPF_FAIL': {
    meaning: 'The domain of MAIL FROM says that this server may not send for it.',
    fix: 'Add the server to the SPF record, or send through one that is in it.',
  },
  'SPF_SOFTFAIL R_SPF_SOFTFAIL': {
    meaning: 'The domain of MAIL FROM doubts that this server sends for it.',
    fix: 'Add the server to the SPF record, and end the record with -all.',
  },
  'SPF_NEUTRAL R_SPF_NEUTRAL': {
    meaning: 'The SPF record says nothing about this server.',
    fix: 'Name the sending servers in the record, and end it with -all.',
  },
  'SPF_NONE R_SPF_NA SPF_HELO_NONE': {
    meaning: 'There is no SPF record.',
    fix: 'Publish one at the domain of MAIL FROM, and one at the HELO name.',
  },
  'SPF_HELO_FAIL SPF_HELO_SOFTFAIL': {
    meaning: 'SPF of the HELO name does not allow the server.',
    fix: 'Publish an SPF record at the HELO name, such as v=spf1 a -all.',
  },
  'R_SPF_PERMFAIL T_SPF_PERMERROR': {
    meaning: 'The SPF record cannot be used.',
    fix: 'Mend it: one record, at most ten lookups, no typing errors.',
  },
  'R_SPF_DNSFAIL T_SPF_TEMPERROR R_DKIM_TEMPFAIL DMARC_DNSFAIL': {
    meaning: 'DNS did not answer.',
    fix: 'Check the name servers of the domain; try again.',
  },
  'SPF_PASS SPF_HELO_PASS R_SPF_ALLOW': { meaning: 'SPF passes.', fix: null },
  'DKIM_INVALID R_DKIM_REJECT': {
    meaning: 'The DKIM signature is not valid.',
    fix: 'Publish the key that signs, and let nothing change the message after signing.',
  },
  R_DKIM_PERMFAIL: {
    meaning: 'The DKIM key or signature cannot be used.',
    fix: 'Check selector, key record and signature.',
  },
  R_DKIM_NA: { meaning: 'The message has no DKIM signature.', fix: 'Sign it.' },
  'DKIM_SIGNED DKIM_TRACE': { meaning: 'The message carries a DKIM signature, which says nothing yet.', fix: null },
  'DKIM_VALID* R_DKIM_ALLOW': { meaning: 'A DKIM signature is valid.', fix: null },
  'DMARC_REJECT DMARC_POLICY_REJECT': {
    meaning: 'DMARC fails, and the domain of From asks to reject.',
    fix: 'Let SPF or DKIM pass with the domain of From.',
  },
  'DMARC_QUAR DMARC_POLICY_QUARANTINE': {
    meaning: 'DMARC fails, and the domain of From asks to quarantine.',
    fix: 'Let SPF or DKIM pass with the domain of From.',
  },
  'DMARC_NONE DMARC_POLICY_SOFTFAIL': {
    meaning: 'DMARC fails; the policy is none.',
    fix: 'Let SPF or DKIM pass with the domain of From.',
  },
  'DMARC_MISSING DMARC_NA': { meaning: 'The domain of From has no DMARC record.', fix: 'Publish one at _dmarc.' },
  DMARC_BAD_POLICY: {
    meaning: 'The DMARC record cannot be used.',
    fix: 'Publish one record that starts with v=DMARC1.',
  },
  'DMARC_PASS DMARC_POLICY_ALLOW*': { meaning: 'DMARC passes.', fix: null },
  'AUTH_NA AUTH_NA_OR_FAIL': {
    meaning: 'Neither SPF, DKIM, DMARC nor ARC says anything for the message.',
    fix: 'Publish SPF and DMARC records and sign with DKIM.',
  },
  'ARC_INVALID ARC_REJECT': {
    meaning: 'The ARC chain is broken.',
    fix: 'Let forwarders change nothing that is signed.',
  },
  ARC_ALLOW: { meaning: 'The ARC chain is in order.', fix: null },
  'BLACKLIST_*': {
    meaning: 'The sender pretends to be a domain that this filter knows, and authentication fails.',
    fix: 'Let SPF and DKIM pass.',
  },
  'WHITELIST_*': { meaning: 'A domain that this filter knows, with authentication.', fix: null },
  'ARC_NA ARC_DNSFAIL': { meaning: 'The message was not forwarded with ARC.', fix: null },
};

const CONNECTION: Record<string, SymbolAdvice> = {
  'RDNS_NONE HFILTER_HOSTNAME_UNKNOWN': {
    meaning: 'The sending address has no name (reverse DNS).',
    fix: 'Ask the owner of the IP address to set a PTR record, and an address record that points back.',
  },
  'RDNS_DYNAMIC HFILTER_HOSTNAME_*': {
    meaning: 'The sending address has a name as home connections have.',
    fix: 'Send from a server with a name of its own, such as mail.your.domain.',
  },
  'HELO_DYNAMIC_* HFILTER_HELO_1 HFILTER_HELO_2 HFILTER_HELO_3 HFILTER_HELO_4 HFILTER_HELO_5': {
    meaning: 'The server greets with a name as home connections have.',
    fix: 'Greet with the server’s own full name.',
  },
  'HFILTER_HELO_NORES_A_OR_MX HFILTER_HELO_NORESOLVE_MX': {
    meaning: 'The HELO name does not resolve.',
    fix: 'Publish an address record for it.',
  },
  HFILTER_HELO_IP_A: {
    meaning: 'The HELO name leads to another address.',
    fix: 'Greet with the name that the address leads back to.',
  },
  'HFILTER_HELO_BAREIP HFILTER_HELO_BADIP': {
    meaning: 'The server greets with an address.',
    fix: 'Greet with a full name.',
  },
  'HFILTER_HELO_NOT_FQDN HELO_NO_DOMAIN': {
    meaning: 'The HELO name is not complete.',
    fix: 'Greet with a full name, such as mail.your.domain.',
  },
  'HFILTER_FROMHOST_* HFILTER_RCPT_*': {
    meaning: 'The domain of MAIL FROM cannot be answered.',
    fix: 'Publish MX or address records for it.',
  },
  ALL_TRUSTED: {
    meaning: 'The filter takes the message for its own site’s, so the score is too good.',
    fix: 'Score it as the receiver would: give the sending address.',
  },
  'NO_RECEIVED NO_RELAYS RCVD_COUNT_ZERO': {
    meaning: 'The message does not show how it traveled.',
    fix: 'Score it as the receiver would: give the sending address.',
  },
  RCVD_ILLEGAL_IP: {
    meaning: 'A Received field holds an address that cannot exist on the internet.',
    fix: 'Use a real sending address, none of the ranges for documentation.',
  },
  'RCVD_NO_TLS_LAST RCVD_TLS_LAST*': {
    meaning: 'How the last hop was encrypted.',
    fix: 'Let the sending server use STARTTLS.',
  },
  'RCVD_IN_*': {
    meaning: 'The sending IP address is on a list; negative points mean a list of good senders.',
    fix: 'Look the address up at the list, end the cause, and ask to be taken off.',
  },
  'RBL_* SPAMHAUS_*': {
    meaning: 'The sending IP address is on a blocklist.',
    fix: 'Look the address up at the list, end the cause, and ask to be taken off.',
  },
  'ONCE_RECEIVED* DIRECT_TO_MX': {
    meaning: 'The message has come straight from where it was written.',
    fix: 'Send through a mail server with a name.',
  },
  'RECEIVED_SPAMHAUS_BLOCKED* DNSWL_BLOCKED DWL_DNSWL_BLOCKED RBL_SPAMHAUS_BLOCKED* RDNS_DNSFAIL': {
    meaning: 'DNS or a list did not answer; nothing is said about the message.',
    fix: 'Ask lists through a resolver of your own.',
  },
  'RECEIVED_SPAMHAUS_* RECEIVED_BLOCKLISTDE MAILSPIKE MSBL_EBL*': {
    meaning: 'An IP address on the delivery path, or in the message, is on a blocklist.',
    fix: 'Look it up at the list, end the cause, and ask to be taken off.',
  },
  'DWL_DNSWL_* RWL_MAILSPIKE_*': { meaning: 'A list of good senders knows the sender.', fix: null },
  'URIBL_BLOCKED RCVD_IN_ZEN_BLOCKED* RCVD_IN_DNSWL_BLOCKED URIBL_DBL_BLOCKED*': {
    meaning: 'A list refused to answer this site; nothing is said about the message.',
    fix: 'Ask lists through a resolver of your own.',
  },
  'PHISHED_*': {
    meaning: 'A link is on a phishing list.',
    fix: 'Take the link out; mend the site it leads to.',
  },
  'URIBL_* SURBL_* DBL_* RSPAMD_URIBL RSPAMD_EMAILBL SEM_URIBL* *_SURBL': {
    meaning: 'A link leads to a domain that is on a blocklist.',
    fix: 'Look the domain up at the list; link to another until it is off.',
  },
};

const HEADERS: Record<string, SymbolAdvice> = {
  MISSING_DATE: { meaning: 'There is no Date field.', fix: 'Write one.' },
  'INVALID_DATE*': {
    meaning: 'The Date field is not a valid date.',
    fix: 'Write it as in “Sat, 21 Nov 2026 10:00:00 +0100”.',
  },
  'DATE_IN_PAST*': {
    meaning: 'The message is older than its journey.',
    fix: 'Write the date when it is sent; set the server’s clock.',
  },
  'DATE_IN_FUTURE*': { meaning: 'The message comes from the future.', fix: 'Set the server’s clock and time zone.' },
  'MISSING_MID MSGID_FROM_MTA_HEADER': {
    meaning: 'The message came without a Message-ID.',
    fix: 'Write one with your domain.',
  },
  'INVALID_MSGID MSGID_* FORGED_MSGID_*': {
    meaning: 'The Message-ID is not in order, or of another program than it says.',
    fix: 'Write it as <something@your.domain>.',
  },
  'MID_*': { meaning: 'About the domain in the Message-ID.', fix: 'Use the domain of From in the Message-ID.' },
  'MISSING_SUBJECT EMPTY_SUBJECT': { meaning: 'There is no subject.', fix: 'Write one.' },
  SUBJ_ALL_CAPS: { meaning: 'The subject is in capitals.', fix: 'Write it as a sentence.' },
  'SUBJ_* SUBJECT_*': {
    meaning: 'The wording or form of the subject.',
    fix: 'Write it as plain words: no rows of marks, no sums, no bait.',
  },
  LONG_SUBJ: { meaning: 'The subject is very long.', fix: 'Keep it below 100 characters.' },
  FAKE_REPLY: { meaning: 'The subject pretends to be an answer.', fix: 'Take “Re:” out.' },
  PLING_QUERY: { meaning: 'The subject has exclamation and question marks.', fix: 'One is enough.' },
  MISSING_FROM: { meaning: 'There is no From field.', fix: 'Write one.' },
  'FROM_NO_DN FROM_HAS_DN FROM_DN_EQ_ADDR': {
    meaning: 'About the name before the sender’s address.',
    fix: 'Put a name before the address.',
  },
  'FROM_EXCESS_BASE64 FROM_NEEDS_ENCODING SUBJ_EXCESS_BASE64 SUBJECT_NEEDS_ENCODING': {
    meaning: 'A field is encoded without need, or not where it should be.',
    fix: 'Encode only what is not ASCII (RFC 2047).',
  },
  'FROM_NEQ_ENVFROM FORGED_SENDER FROM_EQ_ENVFROM HEADER_FROM_DIFFERENT_DOMAINS': {
    meaning: 'From and MAIL FROM are different, as with most bulk senders.',
    fix: 'Use a MAIL FROM below the domain of From.',
  },
  'SPOOF_DISPLAY_NAME SPOOF_REPLYTO FROMNAME_SPOOF* PDS_FROM_2_EMAILS': {
    meaning: 'The name or Reply-To shows another address than the sender’s.',
    fix: 'Show a name without an address.',
  },
  'FREEMAIL_FROM FREEMAIL_ENVFROM*': {
    meaning: 'The sender is at a public mailbox provider.',
    fix: 'Send from a domain of your own.',
  },
  'FREEMAIL_FORGED_REPLYTO FREEMAIL_REPLYTO* HAS_REPLYTO REPLYTO_*': {
    meaning: 'About where answers go.',
    fix: 'Take answers at the domain that sends.',
  },
  'FROM_SUSPICIOUS_NTLD* PDS_OTHER_BAD_TLD': {
    meaning: 'A domain under an ending that is abused more than used.',
    fix: 'Use a domain under another ending.',
  },
  'MISSING_HEADERS MISSING_TO TO_NO_* UNDISC_RECIPS R_UNDISC_RCPT': {
    meaning: 'The message names no recipient.',
    fix: 'Write the recipient into To.',
  },
  'RCPT_COUNT_* TO_DN_* TO_MATCH_* TO_EQ_FROM SORTED_RECIPS SUSPICIOUS_RECIPS': {
    meaning: 'About the recipients.',
    fix: 'Send one message to each.',
  },
  'MULTIPLE_UNIQUE_HEADERS MULTIPLE_FROM': {
    meaning: 'A header field that may appear only once appears twice.',
    fix: 'Keep one (RFC 5322 §3.6).',
  },
  'FORGED_RECIPIENTS*': {
    meaning: 'To and the recipient of the envelope are different.',
    fix: 'Write the recipient into To.',
  },
  'HFILTER_MID_*': { meaning: 'The domain in the Message-ID does not resolve.', fix: 'Use your own domain in it.' },
  'HAS_X_PRIO_*': { meaning: 'The message calls itself urgent.', fix: 'Take X-Priority out.' },
  'FORGED_MUA_* FORGED_OUTLOOK* RATWARE_* MIMEOLE_*': {
    meaning: 'The header pretends to come from another mail program.',
    fix: 'Take X-Mailer and User-Agent out.',
  },
  'HAS_LIST_UNSUB MAILLIST PRECEDENCE_BULK MAILING_LIST_MULTI': {
    meaning: 'The message is a mailing, and says so.',
    fix: null,
  },
  PREVIOUSLY_DELIVERED: {
    meaning: 'The header shows that it was delivered before.',
    fix: 'Take Delivered-To and old Received fields out.',
  },
};

const CONTENT: Record<string, SymbolAdvice> = {
  'GTUBE*': { meaning: 'The test string that every filter takes for spam.', fix: 'Take it out.' },
  MIME_HTML_ONLY: { meaning: 'HTML without a text part.', fix: 'Add a text part.' },
  'MPART_ALT_DIFF* R_PARTS_DIFFER': {
    meaning: 'HTML and text part say different things.',
    fix: 'Make the text part from the HTML.',
  },
  'MISSING_MIME_VERSION MIME_HEADER_CTYPE_ONLY': {
    meaning: 'There is no MIME-Version field.',
    fix: 'Write MIME-Version: 1.0.',
  },
  'MIME_GOOD MIME_TRACE HTML_MESSAGE': { meaning: 'Says of what the message is made.', fix: null },
  'MIME_* T_MIME_*': {
    meaning: 'The structure or encoding of the message.',
    fix: 'Build it with a well kept library; check Content-Type and boundaries.',
  },
  'BASE64_LENGTH_* MIME_BASE64_TEXT': {
    meaning: 'Text is hidden in base64 without need.',
    fix: 'Send text as quoted-printable or 8bit.',
  },
  'HTML_IMAGE_ONLY_* HTML_IMAGE_RATIO_* HTML_SHORT_LINK_IMG_*': {
    meaning: 'Much picture and little text.',
    fix: 'Write the message as text.',
  },
  HTML_FONT_LOW_CONTRAST: {
    meaning: 'Text has almost the color of its background.',
    fix: 'Raise the contrast; delete hidden text.',
  },
  'HTML_FONT_SIZE_* HTML_FONT_TINY*': { meaning: 'The size of the text.', fix: 'Set 12 to 22 px.' },
  'HTML_TAG_BALANCE_* HTML_EXTRA_CLOSE HTML_BADTAG_* HTML_NONELEMENT_* HTML_TITLE_SUBJ_DIFF': {
    meaning: 'The HTML is not in order.',
    fix: 'Close what is opened; check the HTML.',
  },
  'HTML_OBFUSCATE_* HTML_COMMENT_*': {
    meaning: 'The HTML hides words from filters.',
    fix: 'Take comments and tags out of words.',
  },
  'MANY_INVISIBLE_PARTS HIDDEN_SOURCE_OBJ': {
    meaning: 'Much of the message is hidden.',
    fix: 'Keep a preheader, and delete other hidden text.',
  },
  'STY_INVIS* HTML_TEXT_INVISIBLE*': {
    meaning: 'Text that a style hides.',
    fix: 'Keep a preheader, and delete other hidden text.',
  },
  URI_COUNT_ODD: {
    meaning: 'The links of the HTML and of the text part do not pair up.',
    fix: 'Make the text part from the HTML, with its links.',
  },
  'T_PDS_SHORT_SPOOFED_URL SPOOFED_URL* T_SPOOFED_URL*': {
    meaning: 'A link shows one address and leads to another.',
    fix: 'Write words instead of an address.',
  },
  'ZERO_FONT R_WHITE_ON_WHITE': { meaning: 'The message has text that no reader can see.', fix: 'Delete it.' },
  R_EMPTY_IMAGE: { meaning: 'A picture with hardly any text around.', fix: 'Write the message as text.' },
  'PHISHING HTTPS_HTTP_MISMATCH URI_PHISH': {
    meaning: 'A link shows one address and leads to another.',
    fix: 'Write words instead of an address, or track clicks below the same domain.',
  },
  'NUMERIC_HTTP_ADDR NORMAL_HTTP_TO_IP HTTP_TO_IP R_SUSPICIOUS_URL': {
    meaning: 'A link leads to a number, or looks suspicious.',
    fix: 'Link to a name, over https.',
  },
  'HFILTER_URL_ONLY HFILTER_URL_ONELINE BODY_SINGLE_URI': {
    meaning: 'A link with hardly any text.',
    fix: 'Say who writes, why, and where the link leads.',
  },
  'PDF_*': {
    meaning: 'Something in an attached PDF.',
    fix: 'Save the PDF without scripts and passwords, or link to it.',
  },
  WEIRD_PORT: { meaning: 'A link leads to an unusual port.', fix: 'Serve the page on port 443.' },
  HTTP_TO_HTTPS: { meaning: 'A link without encryption shows one with it.', fix: 'Link with https.' },
  '*_SHORTENER *_SHORTENER_*': {
    meaning: 'Links go through a shortener or redirector.',
    fix: 'Link to your own domain.',
  },
  'OMOGRAPH_URL R_MIXED_CHARSET* MIXED_ES': {
    meaning: 'Letters of different alphabets stand in one word or name.',
    fix: 'Type it again in one alphabet.',
  },
  'BAYES_00 BAYES_05 BAYES_20 BAYES_40 BAYES_HAM': {
    meaning: 'Words as in good mail, by what this site’s filter has learned.',
    fix: null,
  },
  'BAYES_*': {
    meaning: 'Words as in spam, by what this site’s filter has learned.',
    fix: 'Change the wording; other sites have learned other mail.',
  },
  'FUZZY_* R_MIXED_*': {
    meaning: 'Words that are disguised, or a body that was seen in spam.',
    fix: 'Write words as words, and change what was copied.',
  },
  'ADVANCE_FEE_* LOTS_OF_MONEY MONEY_* FILL_THIS_FORM* DEAR_* URG_BIZ NA_DOLLARS US_DOLLARS_*': {
    meaning: 'Wording as in fraud with promised money.',
    fix: 'Leave sums, strangers and forms out.',
  },
  'DRUGS_* DRUG_*': { meaning: 'Names of medicine.', fix: 'Keep names of medicine out of mailings.' },
  'LOTTERY_* LOTTO_*': { meaning: 'Prizes and lotteries.', fix: 'Don’t tell readers that they have won.' },
  'BITCOIN_*': { meaning: 'Bitcoin with threats or promises.', fix: 'Leave wallets and threats out.' },
  'UPPERCASE_*': { meaning: 'Much of the text is in capitals.', fix: 'Write as in a letter.' },
  'KAM_*': { meaning: 'A rule of the KAM rule set.', fix: 'See the description of the rule.' },
  'TVD_* T_TVD_*': {
    meaning: 'Wording as in spam of the past.',
    fix: 'Change the wording; see the description of the rule.',
  },
  'MIME_BAD_* MIME_DOUBLE_BAD_* MIME_ENCRYPTED_ARCHIVE* T_HTML_ATTACH OBFU_*': {
    meaning: 'An attachment of a dangerous kind.',
    fix: 'Link to a page about it instead.',
  },
  'GREYLIST*': {
    meaning: 'The filter would put the message off.',
    fix: 'Try again later, as servers do; raise authentication to lower the score.',
  },
};

export const SYMBOLS: Readonly<Record<string, SymbolAdvice>> = {
  ...AUTHENTICATION,
  ...CONNECTION,
  ...HEADERS,
  ...CONTENT,
};
