import { timeOfDateField } from '../mime/index.ts';
import { FREEMAIL } from '../spam-rules/index.ts';
import { checkOneClick } from './one-click.ts';
import { REQUIREMENTS, type RequirementId } from './requirements.ts';
import type { BulkCheck, BulkSenderInput, BulkSenderReport, CheckStatus } from './types.ts';

interface Verdict {
  status: CheckStatus;
  reason: string;
  fix?: string;
}

type Check = (input: BulkSenderInput) => Verdict;

const pass = (reason: string): Verdict => ({ status: 'pass', reason });
const unknown = (reason: string): Verdict => ({ status: 'unknown', reason });
const fail = (reason: string, fix: string): Verdict => ({ status: 'fail', reason, fix });
const warning = (reason: string, fix: string): Verdict => ({ status: 'warning', reason, fix });

const valuesOf = ({ headers }: BulkSenderInput, name: string): string[] =>
  headers.filter((field) => field.name.toLowerCase() === name).map(({ value }) => value.replace(/\s+/g, ' ').trim());
/** Makes a sentence of a clause; a name at its start, such as news.example, keeps its case. */
const because = (reason: string | null | undefined): string => {
  if (!reason) return '';
  const start = /^\S+\.\S/.test(reason) ? reason.charAt(0) : reason.charAt(0).toUpperCase();
  return ` ${start}${reason.slice(1)}${/[.!?]$/.test(reason) ? '' : '.'}`;
};

function fromAddress(input: BulkSenderInput): { address: string; domain: string } {
  const value = valuesOf(input, 'from')[0] ?? '';
  const address = /<([^<>\s]+@[^<>\s]+)>/.exec(value)?.[1] ?? /[^\s<>"',;]+@[^\s<>"',;]+/.exec(value)?.[0] ?? '';
  return { address, domain: address.slice(address.lastIndexOf('@') + 1).toLowerCase() };
}

const spf: Check = ({ authentication: { spf: verdict } }) => {
  if (!verdict || verdict.result === 'temperror') return unknown(`SPF could not be judged.${because(verdict?.reason)}`);
  if (verdict.result === 'pass') return pass(`SPF passes${verdict.domain ? ` for ${verdict.domain}` : ''}.`);
  return fail(
    `SPF gives ${verdict.result}.${because(verdict.reason)}`,
    verdict.result === 'none'
      ? 'Publish an SPF record at the domain of MAIL FROM that names the servers which send.'
      : verdict.result === 'permerror'
        ? 'Mend the SPF record at the domain of MAIL FROM.'
        : 'Name the servers which send in the SPF record at the domain of MAIL FROM.',
  );
};

const dkim: Check = ({ authentication: { dkim: signatures } }) => {
  if (!signatures) return unknown('DKIM was not judged.');
  const valid = signatures.find(({ result }) => result === 'pass');
  if (valid) return pass(`The signature${valid.domain ? ` of ${valid.domain}` : ''} is valid.`);
  if (signatures.some(({ result }) => result === 'temperror')) return unknown('A DKIM key could not be looked up.');
  const broken = signatures.find(({ result }) => result !== 'none');
  return broken
    ? fail(
        `The signature is not valid.${because(broken.reason)}`,
        'Publish the key that signs, and let nothing change the message after it was signed.',
      )
    : fail('The message is not signed.', 'Sign every message with DKIM.');
};

const dkimKey: Check = ({ authentication: { dkim: signatures } }) => {
  const valid = (signatures ?? []).filter(({ result }) => result === 'pass');
  const sizes = valid
    .map(({ keyBits }) => keyBits)
    .filter((bits): bits is number => typeof bits === 'number' && bits >= 512);
  if (!sizes.length)
    return {
      status: valid.length ? 'unknown' : 'not_applicable',
      reason: valid.length ? 'The size of the key is not known.' : 'There is no valid signature.',
    };
  const least = Math.min(...sizes);
  if (least < 1024) return fail(`The key has ${least} bits.`, 'Make a key of 2048 bits.');
  return least < 2048
    ? warning(`The key has ${least} bits; 1024 are the least.`, 'Make a key of 2048 bits.')
    : pass(`The key has ${least} bits.`);
};

const dmarc: Check = ({ authentication: { dmarc: verdict } }) => {
  if (!verdict || verdict.result === 'temperror')
    return unknown(`DMARC could not be judged.${because(verdict?.reason)}`);
  if (verdict.result === 'pass')
    return pass(`DMARC passes${verdict.policy ? `, with the policy ${verdict.policy}` : ''}.`);
  if (verdict.result === 'none')
    return fail('The domain of From has no DMARC record.', 'Publish one at _dmarc; p=none is enough to begin with.');
  return fail(
    `DMARC gives ${verdict.result}.${because(verdict.reason)}`,
    'Let SPF or DKIM pass with the domain of From.',
  );
};

const alignment: Check = (input) => {
  const { spf: byServer, dkim: signatures, dmarc: verdict } = input.authentication;
  const { domain } = fromAddress(input);
  const isSigned = verdict?.alignedDkim ?? signatures?.some(({ result, aligned }) => result === 'pass' && aligned);
  const isSent = verdict?.alignedSpf ?? (byServer?.result === 'pass' && byServer.aligned);
  if (isSigned || isSent || verdict?.result === 'pass')
    return pass(
      `${isSigned && isSent ? 'SPF and DKIM pass' : isSigned ? 'DKIM passes' : isSent ? 'SPF passes' : 'DMARC passes'}` +
        ` with ${domain || 'the domain of From'}.`,
    );
  if (verdict === undefined && byServer === undefined && signatures === undefined)
    return unknown('Authentication was not judged.');
  if (verdict?.result === 'temperror') return unknown('DMARC could not be judged.');
  return fail(
    `Neither SPF nor DKIM passes with ${domain || 'the domain of From'}.`,
    'Sign with the domain of From, or send with a MAIL FROM below it.',
  );
};

const oneClick: Check = (input) => {
  if (input.kind === 'transactional')
    return { status: 'not_applicable', reason: 'Transactional mail needs no unsubscribing.' };
  const { conforms, points } = checkOneClick(input);
  const broken = points.find(({ status }) => status === 'fail');
  if (conforms) return pass('One click unsubscribes: both fields are there, https, and signed.');
  return broken
    ? fail(broken.message, broken.fix ?? 'See RFC 8058.')
    : unknown(points.find(({ status }) => status === 'unknown')?.message ?? 'Not all of it could be judged.');
};

const UNSUBSCRIBE =
  /unsubscri|opt[- ]?out|abmelden|abbestell|désabonn|désinscri|cancelar (?:la )?suscripci|darse de baja|disiscri|afmelden|uitschrijven|(?:manage|email) (?:your )?preferences/i;

/** Whether a message shows a way to unsubscribe; undefined where its body is not known. */
export function offersToUnsubscribe({ html, text }: Pick<BulkSenderInput, 'html' | 'text'>): boolean | undefined {
  if (html === undefined && text === undefined) return undefined;
  return UNSUBSCRIBE.test(`${html ?? ''}\n${text ?? ''}`.slice(0, 2_000_000));
}

const unsubscribeLink: Check = ({ kind, offersToUnsubscribe: isOffered, ...body }) => {
  if (kind === 'transactional')
    return { status: 'not_applicable', reason: 'Transactional mail needs no unsubscribing.' };
  const isThere = isOffered ?? offersToUnsubscribe(body);
  if (isThere === undefined) return unknown('The body was not given.');
  return isThere
    ? pass('The message offers to unsubscribe.')
    : fail('The message offers no way to unsubscribe that can be seen.', 'Add a link to the end of the message.');
};

const feedbackId: Check = (input) => {
  const [value] = valuesOf(input, 'feedback-id');
  if (value === undefined)
    return warning(
      'There is no Feedback-ID, so complaints cannot be told apart by campaign.',
      'Add Feedback-ID: campaign:customer:kind:sender, and sign it.',
    );
  const parts = value.split(':');
  const sender = parts.at(-1)!.trim();
  return parts.length <= 4 && /^\S{5,15}$/.test(sender)
    ? pass(`Feedback-ID names ${sender}.`)
    : warning(
        `Feedback-ID is ${JSON.stringify(value.slice(0, 80))}.`,
        'Write up to three names and, last, one of 5 to 15 characters that stays the same.',
      );
};

const tls: Check = ({ connection, authentication }) => {
  const verdict = authentication.tls;
  const isEncrypted =
    connection?.isEncrypted ??
    (typeof verdict === 'boolean' ? verdict : verdict ? verdict.result === 'pass' : undefined);
  if (isEncrypted === undefined) return unknown('How the message traveled is not known.');
  return isEncrypted
    ? pass('The message came over TLS.')
    : fail('The message came over an unencrypted connection.', 'Let the sending server use STARTTLS.');
};

const reverseDns: Check = ({ authentication: { reverseDns: verdict }, connection }) => {
  if (!verdict || verdict.result === 'temperror')
    return unknown(`Reverse DNS could not be judged.${because(verdict?.reason)}`);
  const ip = connection?.ip ?? 'The sending address';
  return verdict.result === 'pass'
    ? pass(`${ip} leads to ${verdict.name ?? 'a name'} and back.`)
    : fail(
        `${ip} has no name that leads back to it.${because(verdict.reason)}`,
        'Ask the owner of the IP address to set a PTR record, and an A or AAAA record that points back.',
      );
};

const fromDomain: Check = (input) => {
  const { domain } = fromAddress(input);
  if (!domain) return fail('From holds no address.', 'Write an address at your own domain.');
  if (input.fromDomainExists === undefined) return unknown(`Whether ${domain} takes mail was not looked up.`);
  return input.fromDomainExists
    ? pass(`${domain} is there, and can be answered.`)
    : fail(`${domain} has neither MX nor address records, so nobody can answer.`, 'Publish an MX record.');
};

const singleFrom: Check = (input) => {
  const values = valuesOf(input, 'from');
  const addresses = (values[0] ?? '')
    .replace(/"(?:[^"\\]|\\.)*"/g, '')
    .split(',')
    .filter((part) => part.includes('@'));
  if (values.length === 1 && addresses.length === 1) return pass('There is one From with one address.');
  return fail(
    values.length === 0
      ? 'There is no From field.'
      : values.length > 1
        ? `There are ${values.length} From fields.`
        : `From names ${addresses.length} addresses.`,
    'Write one From field with one address.',
  );
};

const ONCE = [
  'sender',
  'reply-to',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'mime-version',
  'content-type',
  'list-unsubscribe',
  'list-unsubscribe-post',
];

const singleFields: Check = (input) => {
  const twice = ONCE.filter((name) => valuesOf(input, name).length > 1);
  return twice.length
    ? fail(
        `${twice.join(', ')}: ${twice.length === 1 ? 'this field stands' : 'these fields stand'} more than once.`,
        'Keep one of each.',
      )
    : pass('No field that may appear only once appears twice.');
};

const messageId: Check = (input) => {
  const [value] = valuesOf(input, 'message-id');
  if (value === undefined) return fail('There is no Message-ID.', 'Write one with your domain.');
  return /^<[^<>@\s]+@[^<>@\s]+>$/.test(value)
    ? pass('Message-ID is in order.')
    : fail(`Message-ID is ${JSON.stringify(value.slice(0, 80))}.`, 'Write it as <something@your.domain>.');
};

const syntax: Check = (input) => {
  const problems = [...(input.syntaxProblems ?? [])];
  const [date] = valuesOf(input, 'date');
  if (date === undefined) problems.push('There is no Date field.');
  else if (Number.isNaN(timeOfDateField(date))) problems.push(`Date is ${JSON.stringify(date.slice(0, 60))}.`);
  const badName = input.headers.find(({ name }) => !/^[!-9;-~]{1,76}$/.test(name));
  if (badName) problems.push(`${JSON.stringify(badName.name.slice(0, 40))} is no name of a field.`);
  return problems.length
    ? fail(problems.slice(0, 3).join(' '), 'Write the header as RFC 5322 says.')
    : pass('The header is as RFC 5322 says, as far as it was given.');
};

const fromFreemail: Check = (input) => {
  const { domain } = fromAddress(input);
  return FREEMAIL.has(domain)
    ? fail(
        `From is at ${domain}, a public mailbox provider: receivers take this for a forgery.`,
        'Send from a domain of your own.',
      )
    : pass(`From is at ${domain || 'no public mailbox provider'}.`);
};

const honestSubject: Check = (input) => {
  const subject = valuesOf(input, 'subject')[0] ?? '';
  const start = /^(?:re|aw|fwd?|wg)\s*:/i.exec(subject)?.[0];
  if (start && !valuesOf(input, 'in-reply-to').length && !valuesOf(input, 'references').length)
    return fail(`The subject starts with “${start}”, yet nothing is answered.`, 'Take it out.');
  return subject.trim()
    ? pass('The subject does not pretend to be an answer.')
    : fail('There is no subject.', 'Write one.');
};

const CHECKS: readonly [RequirementId, string, Check][] = [
  ['spf', 'SPF passes', spf],
  ['dkim', 'DKIM signature is valid', dkim],
  ['dkim-key', 'DKIM key is long enough', dkimKey],
  ['dmarc', 'DMARC policy is published and passes', dmarc],
  ['alignment', 'The domain of From is the one that authenticates', alignment],
  ['one-click', 'Unsubscribing takes one click (RFC 8058)', oneClick],
  ['unsubscribe-link', 'A visible link unsubscribes', unsubscribeLink],
  ['feedback-id', 'Complaints can be told apart by campaign', feedbackId],
  ['tls', 'Sent over TLS', tls],
  ['reverse-dns', 'The sending address has reverse DNS', reverseDns],
  ['from-domain', 'The domain of From exists', fromDomain],
  ['single-from', 'One From with one address', singleFrom],
  ['from-freemail', 'From is at a domain of your own', fromFreemail],
  ['single-fields', 'Fields stand once', singleFields],
  ['message-id', 'Message-ID is valid', messageId],
  ['syntax', 'The header is valid (RFC 5322)', syntax],
  ['honest-subject', 'The subject is honest', honestSubject],
];

/**
 * What the large providers ask of bulk senders, point by point. Pure; what is not known is `unknown`, never a failure.
 */
export function checkBulkSender(input: BulkSenderInput): BulkSenderReport {
  const checks = CHECKS.map(([id, title, check]): BulkCheck => {
    const { status, reason, fix } = check(input);
    return { id, title, status, reason, fix: fix ?? null, requirements: REQUIREMENTS[id] };
  });
  const count = (status: CheckStatus): number => checks.filter((check) => check.status === status).length;
  return {
    checks,
    passed: count('pass'),
    failed: count('fail'),
    warnings: count('warning'),
    unknown: count('unknown'),
  };
}
