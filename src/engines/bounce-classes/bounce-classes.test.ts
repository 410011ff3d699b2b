import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BOUNCE_CLASSES, BOUNCE_ENTITIES, BOUNCE_RULES, classifyBounce, sampleOf } from './index.ts';

/** A reply as a server sends it; provider, if it is known; the rule and the entity. */
const REPLIES: readonly (readonly [reply: string, provider: string, rule: string, entity: string])[] = [
  ['550 5.1.1 <bob@example.net>: Recipient address rejected: User unknown', '', 'invalid-recipient', 'other'],
  [
    '550-5.1.1 The email account that you tried to reach does not exist. Please try double-checking - gsmtp',
    'google',
    'invalid-recipient',
    'gmail',
  ],
  ['550 5.1.1 No', 'google', 'status-invalid-recipient', 'gmail'],
  ['552 5.2.2 The email account that you tried to reach is over quota', 'google', 'mailbox-full', 'gmail'],
  [
    '550 5.7.26 This mail has been blocked because the sender is unauthenticated',
    'google',
    'gmail-unauthenticated',
    'gmail',
  ],
  ['421 4.7.28 Gmail has detected an unusual rate of unsolicited mail', 'google', 'gmail-rate', 'gmail'],
  ['550 5.7.1 very low reputation of the sending domain', 'google', 'gmail-reputation', 'gmail'],
  [
    "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. part of their network is on our block list (S3140)",
    'outlook',
    'microsoft-blocklist',
    'hotmail',
  ],
  ['421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred', 'yahoo', 'yahoo-deferred', 'yahoo'],
  ['554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org', '', 'spamhaus', 'spamhaus'],
  ['550 blocked by bl.spamcop.net', 'orange', 'spamcop', 'spamcop'],
  ['554 5.7.1 Client host blocked using dnsbl.example.org', '', 'blocklist', 'other'],
  ['450 4.2.0 <bob@example.net>: Recipient address rejected: Greylisted', '', 'greylist', 'other'],
  ['421 4.7.0 Too many connections', 'gmx.net_web.de', 'rate-limit', 'gmx'],
  ['550 5.7.1 Message rejected as spam by Content Filtering.', '', 'content', 'other'],
  ['550 5.7.1 Unauthenticated email is refused by the DMARC policy of example.com', '', 'authentication', 'other'],
  ['550 5.2.1 The user is suspended', '', 'inactive-mailbox', 'other'],
  [
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    '',
    'invalid-recipient',
    'other',
  ],
  ['556 5.1.10 Refused', '', 'status-bad-domain', 'other'],
  ['552 5.3.4 No', '', 'status-too-large', 'other'],
  ['451 Try again', '', 'reply-server', 'other'],
  ['498 No server answered: connect ECONNREFUSED', '', 'reply-unreachable', 'other'],
  ['554 Transaction failed', '', 'unclassified', 'other'],
];

function classOf(reply: string, provider: string, reason = 'bounce') {
  const [, code = '', enhanced] = /^(\d{3})[ -]?([245]\.\d+\.\d+)?/.exec(reply) ?? [];
  return classifyBounce({ reason, code: Number(code), enhanced: enhanced ?? null, text: reply, provider });
}

describe('classes of bounces', () => {
  for (const [reply, provider, rule, entity] of REPLIES)
    it(`say of ${reply.slice(0, 60)}: ${rule} by ${entity}`, () => {
      assert.deepEqual(classOf(reply, provider), { rule, entity });
    });

  it('know what was given up by its reason', () => {
    assert.deepEqual(classOf('451 Try again', 'google', 'old'), { rule: 'expired', entity: 'gmail' });
  });

  it('find the class of every rule in its own sample', () => {
    const classIn = new Map(BOUNCE_RULES.map((rule) => [rule.id, rule.class]));
    for (const { id, class: own, entity, reason, sample } of BOUNCE_RULES) {
      const [provider = ''] = BOUNCE_ENTITIES.find((one) => one.id === entity)?.providers ?? [];
      const { rule } = classOf(/^\d/.test(sample) ? sample : `498 ${sample}`, provider, reason);
      assert.equal(classIn.get(rule), own, `${id}: ${rule}`);
    }
  });

  it('belong together: every rule has a class and an entity that there are', () => {
    const classes = new Set(BOUNCE_CLASSES.map(({ id }) => id));
    const entities = new Set(BOUNCE_ENTITIES.map(({ id }) => id));
    assert.equal(new Set(BOUNCE_RULES.map(({ id }) => id)).size, BOUNCE_RULES.length);
    for (const { id, class: own, entity = 'other' } of BOUNCE_RULES)
      assert.ok(classes.has(own) && entities.has(entity), id);
  });

  it('take no long time for what a stranger wrote', () => {
    const hostile = ['user '.repeat(2000), 'a@'.repeat(5000), `exceeded ${'x'.repeat(9000)}`, 'address '.repeat(3000)];
    for (const text of hostile) {
      assert.equal(classOf(`550 ${text}`, '').entity, 'other');
      assert.ok(sampleOf(text).length <= 300);
    }
  });

  it('show samples without addresses', () => {
    assert.equal(sampleOf('550 <bob@example.net>: no bob@example.net'), '550 <<address>>: no <address>');
  });
});
