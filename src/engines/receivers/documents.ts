// What receivers publish about mail that they refuse or file as spam: the sentence, where it stands and since when it
// holds. A rule of a receiver names one of these; the sentence is shown with the verdict.

export interface CitedSentence {
  /** The publisher of the document. */
  publisher: string;
  document: string;
  url: string;
  /** The sentence as the document has it. */
  sentence: string;
  /** Since when it is enforced: ISO date or month; of an RFC, its publication. Null: the document does not say. */
  since: string | null;
}

const GMAIL_CODES = {
  publisher: 'Google',
  document: 'Gmail SMTP errors and codes',
  url: 'https://support.google.com/a/answer/3726730',
} as const;
const GMAIL_GUIDELINES = {
  publisher: 'Google',
  document: 'Email sender guidelines',
  url: 'https://support.google.com/mail/answer/81126',
} as const;
const YAHOO_CODES = {
  publisher: 'Yahoo',
  document: 'SMTP Error Codes',
  url: 'https://senders.yahooinc.com/smtp-error-codes/',
} as const;
const MICROSOFT = {
  publisher: 'Microsoft',
  document: 'Fix NDR error 550 5.7.515 in Outlook.com',
  url: 'https://support.microsoft.com/topic/34cfe8f8-6fbf-457e-9e8b-9e4dbaf4e0ef',
} as const;
const DMARC = { publisher: 'IETF', document: 'RFC 7489', url: 'https://www.rfc-editor.org/rfc/rfc7489' } as const;

/** Read on 2026-11-22 from public copies of the documents; a provider may have changed its words since. */
export const CITED = {
  'gmail-unauthenticated': {
    ...GMAIL_CODES,
    since: '2024-02-01',
    sentence:
      '550 5.7.26 This message does not have authentication information or fails to pass authentication ' +
      'checks (SPF or DKIM). To best protect our users from spam, the message has been blocked.',
  },
  'gmail-dmarc': {
    ...GMAIL_CODES,
    since: null,
    sentence: "550 5.7.26 Unauthenticated email from domain-name is not accepted due to domain's DMARC policy.",
  },
  'gmail-ptr': {
    ...GMAIL_CODES,
    since: '2024-02-01',
    sentence:
      '550 5.7.25 The IP address sending this message does not have a PTR record setup, or the ' +
      'corresponding forward DNS entry does not point to the sending IP. As a policy, Gmail does not accept ' +
      'messages from IPs with missing PTR records.',
  },
  'gmail-duplicate-fields': {
    ...GMAIL_CODES,
    since: '2023-04-24',
    sentence:
      '550 5.7.1 This message is not RFC 5322 compliant because it has duplicate headers. To reduce the ' +
      'amount of spam sent to Gmail, this message has been blocked.',
  },
  'gmail-several-authors': {
    ...GMAIL_CODES,
    since: null,
    sentence: '550 5.7.1 Messages with multiple addresses in From: header are not accepted.',
  },
  'gmail-bulk-dkim': {
    ...GMAIL_CODES,
    since: '2024-02-01',
    sentence:
      '550 5.7.30 This mail has been blocked because DKIM does not pass. Gmail requires all large senders ' +
      'to authenticate with DKIM.',
  },
  'gmail-bulk-alignment': {
    ...GMAIL_CODES,
    since: '2024-02-01',
    sentence:
      '421 4.7.32 Your email has been rate limited because the From: header (RFC5322) in this message ' +
      "isn't aligned with either the authenticated SPF or DKIM organizational domain.",
  },
  'gmail-tls': { ...GMAIL_GUIDELINES, since: '2023-12', sentence: 'Use a TLS connection for transmitting email.' },
  'yahoo-unauthenticated': {
    ...YAHOO_CODES,
    since: '2024-02-01',
    sentence:
      '550 5.7.9 This mail has been blocked because the sender is unauthenticated. Yahoo requires all ' +
      'senders to authenticate with either SPF or DKIM.',
  },
  'outlook-bulk': {
    ...MICROSOFT,
    since: '2025-05-05',
    sentence: '550 5.7.515 Access denied, sending domain <domain> does not meet the required authentication level.',
  },
  'outlook-reverse-dns': {
    publisher: 'Microsoft',
    document: 'Outlook.com Postmaster: Policies',
    since: null,
    url: 'https://sendersupport.olc.protection.outlook.com/pm/policies.aspx',
    sentence: 'Email servers must have valid reverse DNS records.',
  },
  'portal-spf': {
    publisher: 'United Internet',
    document: 'Postmaster: SMTP error messages',
    since: null,
    url: 'https://postmaster.gmx.net/en/error-messages',
    sentence: '550 Reject due to SPF policy. The originating IP of the message is not permitted by the domain owner.',
  },
  'dmarc-reject': {
    ...DMARC,
    document: 'RFC 7489 §6.3',
    since: '2015-03',
    sentence:
      'reject: The Domain Owner wishes for Mail Receivers to reject email that fails the DMARC mechanism check.',
  },
  'dmarc-quarantine': {
    ...DMARC,
    document: 'RFC 7489 §6.3',
    since: '2015-03',
    sentence:
      'quarantine: The Domain Owner wishes to have email that fails the DMARC mechanism check be treated by ' +
      'Mail Receivers as suspicious.',
  },
  'dmarc-several-authors': {
    ...DMARC,
    document: 'RFC 7489 §6.6.1',
    since: '2015-03',
    sentence:
      'Messages bearing a single RFC5322.From field containing multiple addresses (and, thus, multiple ' +
      'domain names to be evaluated) are typically rejected because the sorts of mail normally protected by ' +
      'DMARC do not use this format.',
  },
  'dmarc-repeated-from': {
    ...DMARC,
    document: 'RFC 7489 §6.6.1',
    since: '2015-03',
    sentence:
      'Messages with multiple RFC5322.From fields are typically rejected, since that form is forbidden ' +
      'under RFC 5322.',
  },
  'dmarc-no-from': {
    ...DMARC,
    document: 'RFC 7489 §6.6.1',
    since: '2015-03',
    sentence:
      'Messages that have no RFC5322.From field at all are typically rejected, since that form is forbidden ' +
      'under RFC 5322.',
  },
  'spf-fail': {
    publisher: 'IETF',
    document: 'RFC 7208 §2.6.4',
    url: 'https://www.rfc-editor.org/rfc/rfc7208',
    since: '2014-04',
    sentence:
      'A "fail" result is an explicit statement that the client is not authorized to use the domain in the ' +
      'given identity.',
  },
} as const satisfies Record<string, CitedSentence>;

export type CitationId = keyof typeof CITED;
