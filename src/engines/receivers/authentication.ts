import type { AuthCondition, AuthenticationFacts, MessageFacts } from './types.ts';

/** Whether the header of the message declares it bulk mail. */
export function isBulkMail({ headers }: Pick<MessageFacts, 'headers'>): boolean {
  return (
    ['list-unsubscribe', 'list-id', 'feedback-id'].some((name) => headers[name] !== undefined) ||
    /^\s*(?:bulk|list)\s*$/i.test(headers['precedence'] ?? '')
  );
}

const result = (verdict: { result: string } | null | undefined): string => verdict?.result.toLowerCase() ?? 'none';

/**
 * Every condition that holds, with a sentence. What could not be found out (`temperror`) is not held against a message.
 */
export function conditionsOf(facts: AuthenticationFacts, message: MessageFacts): Map<AuthCondition, string> {
  const held = new Map<AuthCondition, string>();
  const spf = result(facts.spf);
  const spfDomain = facts.spf?.domain ? ` for ${facts.spf.domain}` : '';
  const because = (reason: string | null | undefined) => (reason ? ` (${reason.replace(/[.\s]+$/, '')})` : '');
  if (spf === 'fail' || spf === 'softfail')
    held.set(`spf-${spf}`, `SPF${spfDomain} gives ${spf}${because(facts.spf?.reason)}.`);
  else if (spf === 'none' || spf === 'neutral')
    held.set('spf-none', `SPF${spfDomain} says nothing about the sending server.`);
  else if (spf === 'permerror')
    held.set('spf-error', `The SPF record${spfDomain} cannot be used${because(facts.spf?.reason)}.`);
  const signatures = facts.dkim ?? [];
  const isSigned = signatures.some((one) => result(one) === 'pass');
  const real = signatures.filter((one) => !['none', 'temperror'].includes(result(one)));
  const bad = real.find((one) => result(one) !== 'pass');
  if (!isSigned && bad) held.set('dkim-fail', `No DKIM signature is valid${because(bad.reason)}.`);
  else if (!isSigned && real.length === 0 && !signatures.some((one) => result(one) === 'temperror'))
    held.set('dkim-none', 'The message has no DKIM signature.');
  dmarcConditions(facts, held);
  const isUnknown = spf === 'temperror' || signatures.some((one) => result(one) === 'temperror');
  if (spf !== 'pass' && !isSigned && !isUnknown) held.set('no-authentication', 'Neither SPF nor DKIM passes.');
  const dmarc = result(facts.dmarc);
  if (isBulkMail(message) && dmarc !== 'pass' && dmarc !== 'temperror' && !isUnknown)
    held.set('bulk-unauthenticated', 'The mailing passes no DMARC, which large providers ask of bulk senders.');
  if (isBulkMail(message) && !isSigned && !isUnknown)
    held.set('bulk-unsigned', 'The mailing has no valid DKIM signature.');
  formConditions(message, held);
  const reverse = facts.reverseDns && result(facts.reverseDns);
  if (reverse && !['pass', 'temperror'].includes(reverse))
    held.set(
      'no-reverse-dns',
      `The sending address has no name that leads back to it${because(facts.reverseDns?.reason)}.`,
    );
  const tls = facts.tls;
  if (tls === false || (typeof tls === 'object' && tls !== null && result(tls) !== 'pass'))
    held.set('no-tls', 'The message came over an unencrypted connection.');
  if (result(facts.bimi) === 'pass') held.set('bimi-pass', 'The sender has a brand indicator (BIMI).');
  return held;
}

/** Faults of the header that receivers refuse (RFC 5322 §3.6). */
function formConditions({ form }: MessageFacts, held: Map<AuthCondition, string>): void {
  if (!form) return;
  if (form.fromFields === 0) held.set('from-missing', 'The message has no From field.');
  if (form.fromFields > 1) held.set('from-repeated', `The message has ${form.fromFields} From fields.`);
  if (form.authors > 1) held.set('from-several', `From names ${form.authors} addresses.`);
  if (form.repeated.length) {
    const several = form.repeated.length > 1;
    held.set(
      'fields-repeated',
      `${several ? 'Fields stand' : 'A field stands'} more than once: ${form.repeated.join(', ')}.`,
    );
  }
}

function dmarcConditions({ dmarc }: AuthenticationFacts, held: Map<AuthCondition, string>): void {
  const verdict = result(dmarc);
  const domain = dmarc?.domain ? ` of ${dmarc.domain}` : '';
  if (verdict === 'pass') held.set('dmarc-pass', `DMARC${domain} passes.`);
  else if (verdict === 'fail') {
    const policy = dmarc?.policy?.toLowerCase();
    const known = policy === 'reject' || policy === 'quarantine' ? policy : 'none';
    held.set(`dmarc-fail-${known}`, `DMARC${domain} fails, and its policy is ${known}.`);
  } else if (verdict === 'none') held.set('dmarc-none', 'The sender’s domain has no DMARC policy.');
}
