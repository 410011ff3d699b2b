// What large receivers ask of mailings, and what is attached.
import { ARCHIVES, endingOf, EXECUTABLES, MACRO_DOCUMENTS, PAGES } from '../lists.ts';
import type { MailReading } from '../reading.ts';
import { listed, rules, type RuleMatch, type SpamRule } from '../rule.ts';
import { isBulk } from './fields.ts';

const UNSUBSCRIBE =
  /unsubscri|opt[- ]?out|abmelden|abbestell|austragen|désabonn|desabonn|se désinscrire|desinscri|darse de baja|cancelar (?:la )?suscripci|disiscriv|annulla l.iscrizione|afmelden|uitschrijven|avregistrer|email preferences|manage (?:your )?(?:e-?mail )?(?:preferences|subscription)/i;
const COMMERCIAL =
  /\b(?:sale|% off|discount|shop now|buy now|order now|newsletter|special offer|coupon|promo(?:tion)? code|free shipping|rabatt|angebot|soldes|oferta|sconto)\b/gi;

const hasLink = (mail: MailReading): boolean =>
  mail.links.some(({ text, href }) => UNSUBSCRIBE.test(text) || UNSUBSCRIBE.test(href)) ||
  UNSUBSCRIBE.test(mail.body?.value ?? '') ||
  mail.pictures.some(({ alt }) => UNSUBSCRIBE.test(alt ?? ''));
const isCommercial = (mail: MailReading): boolean => (mail.body?.value.match(COMMERCIAL)?.length ?? 0) >= 2;
const field = (mail: MailReading, message: string): RuleMatch => ({
  message,
  places: [mail.headerPlace('List-Unsubscribe')],
});

export const BULK_RULES: SpamRule[] = rules('bulk', {
  BULK_NO_WAY_OUT: {
    points: 1.4,
    description: 'A mailing has no way to unsubscribe.',
    fix: 'Add List-Unsubscribe with one-click, and a visible link.',
    source: 'Gmail and Yahoo sender guidelines; CAN-SPAM §5(a)(3); GDPR Art. 21',
    check: (mail) =>
      (isBulk(mail) || isCommercial(mail)) && !hasLink(mail) && !mail.fields('list-unsubscribe').length
        ? { message: 'There is neither a link to unsubscribe nor List-Unsubscribe.', places: [{ part: 'message' }] }
        : undefined,
  },
  BULK_NO_LIST_UNSUBSCRIBE: {
    points: 0.6,
    description: 'A mailing without List-Unsubscribe.',
    fix: 'Add List-Unsubscribe: <https://…> and List-Unsubscribe-Post: List-Unsubscribe=One-Click.',
    source: 'RFC 8058; Gmail and Yahoo sender guidelines, since 2024-06',
    check: (mail) =>
      mail.hasHeaders && !mail.fields('list-unsubscribe').length && (hasLink(mail) || isBulk(mail))
        ? field(mail, 'There is no List-Unsubscribe field.')
        : undefined,
  },
  BULK_NOT_ONE_CLICK: {
    points: 0.4,
    description: 'Unsubscribing takes more than one click.',
    fix: 'Add List-Unsubscribe-Post: List-Unsubscribe=One-Click and an https address.',
    source: 'RFC 8058; Gmail and Yahoo sender guidelines, since 2024-06',
    check: (mail) =>
      mail.fields('list-unsubscribe').length &&
      (!mail.fields('list-unsubscribe-post').length || !/<https:/i.test(mail.fields('list-unsubscribe')[0]!))
        ? field(mail, 'List-Unsubscribe is there, but not as one-click.')
        : undefined,
  },
  BULK_NO_VISIBLE_LINK: {
    points: 0.5,
    description: 'No visible link to unsubscribe.',
    fix: 'Add one to the end of the message.',
    source: 'Gmail sender guidelines: a clearly visible unsubscribe link; CAN-SPAM §5(a)(5)',
    check: (mail) =>
      isBulk(mail) && mail.fields('list-unsubscribe').length > 0 && mail.wordCount > 0 && !hasLink(mail)
        ? { message: 'No link in the message unsubscribes.', places: [{ part: 'message' }] }
        : undefined,
  },
  BULK_ONE_CLICK: {
    points: -0.3,
    description: 'Unsubscribing takes one click.',
    fix: 'Nothing to do.',
    source: 'RFC 8058',
    check: (mail) =>
      /<https:/i.test(mail.fields('list-unsubscribe')[0] ?? '') &&
      /^List-Unsubscribe=One-Click$/i.test(mail.fields('list-unsubscribe-post')[0] ?? '')
        ? field(mail, 'List-Unsubscribe and List-Unsubscribe-Post are there.')
        : undefined,
  },
  BULK_LIST_ID: {
    points: -0.2,
    description: 'The list has a name.',
    fix: 'Nothing to do.',
    source: 'RFC 2919',
    check: (mail) =>
      /<[^<>\s]+\.[^<>\s]+>/.test(mail.fields('list-id')[0] ?? '')
        ? { message: 'List-ID names the list.', places: [mail.headerPlace('List-ID')] }
        : undefined,
  },
});

function attached(mail: MailReading, isMeant: (name: string, ending: string) => boolean): RuleMatch | undefined {
  const found = (mail.input.attachments ?? []).filter(({ name }) => isMeant(name, endingOf(name)));
  return found.length
    ? {
        message: `${listed(found.map(({ name }) => name))} ${found.length === 1 ? 'is' : 'are'} attached.`,
        places: found.slice(0, 5).map(({ name }) => ({ part: 'attachment', snippet: name.slice(0, 120) })),
        count: found.length,
      }
    : undefined;
}

const ATTACHMENT_BYTES_MAX = 10 * 1024 * 1024;

export const ATTACHMENT_RULES: SpamRule[] = rules('attachments', {
  ATTACHED_PROGRAM: {
    points: 4.5,
    description: 'An attached program or disk.',
    fix: 'Put it on a server and link to a page about it; every receiver refuses it.',
    source: 'Gmail: blocked file types; Rspamd: MIME_BAD_EXTENSION',
    check: (mail) => attached(mail, (_name, ending) => EXECUTABLES.has(ending)),
  },
  ATTACHED_DOUBLE_ENDING: {
    points: 3.5,
    description: 'An attachment that pretends to be of another kind.',
    fix: 'Give the file one ending.',
    source: 'Rspamd: MIME_DOUBLE_BAD_EXTENSION',
    check: (mail) =>
      attached(
        mail,
        (name, ending) =>
          /\.(?:pdf|docx?|xlsx?|txt|jpe?g|png|mp[34])\s*\.[a-z0-9]{2,5}\s*$/i.test(name) &&
          (EXECUTABLES.has(ending) || ARCHIVES.has(ending) || PAGES.has(ending)),
      ),
  },
  ATTACHED_MACROS: {
    points: 2.2,
    description: 'An attached document with macros.',
    fix: 'Save it without macros, or as PDF.',
    source: 'SpamAssassin: the OLEVBMacro plugin; Rspamd: MIME_BAD_EXTENSION',
    check: (mail) => attached(mail, (_name, ending) => MACRO_DOCUMENTS.has(ending)),
  },
  ATTACHED_PAGE: {
    points: 1.8,
    description: 'An attached web page, as in phishing.',
    fix: 'Put the page on a server, and link to it.',
    source: 'SpamAssassin: T_HTML_ATTACH, OBFU_HTML_ATTACH',
    check: (mail) => attached(mail, (_name, ending) => PAGES.has(ending)),
  },
  ATTACHED_ARCHIVE: {
    points: 0.7,
    description: 'An attached archive, into which filters may not look.',
    fix: 'Attach the file itself, or link to it.',
    source: 'Rspamd: MIME_ENCRYPTED_ARCHIVE and its kin',
    check: (mail) => attached(mail, (_name, ending) => ARCHIVES.has(ending)),
  },
  ATTACHED_LARGE: {
    points: 0.5,
    description: 'Large attachments.',
    fix: 'Link to the files instead.',
    source: 'Receivers refuse from 10 to 25 MB on',
    check: (mail) => {
      const bytes = (mail.input.attachments ?? []).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      return bytes > ATTACHMENT_BYTES_MAX
        ? { message: `${Math.round(bytes / 1024 / 1024)} MB are attached.`, places: [{ part: 'attachment' }] }
        : undefined;
    },
  },
});
