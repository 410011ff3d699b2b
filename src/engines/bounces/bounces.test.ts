import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isHardBounce, readReport } from './index.ts';

describe('a refusal for good', () => {
  const cases: [code: number, enhanced: string, text: string, isHard: boolean][] = [
    [550, '5.1.1', '550 5.1.1 The email account that you tried to reach does not exist.', true],
    [550, '5.1.10', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup', true],
    [550, '5.2.1', '550 5.2.1 The email account that you tried to reach is disabled.', true],
    [550, '5.1.2', '550 5.1.2 Host unknown', true],
    [556, '5.1.10', '556 5.1.10 Recipient address has null MX', true],
    [550, '', '550 Requested action not taken: mailbox unavailable', true],
    [554, '', "554 delivery error: dd This user doesn't have a yahoo.com account (ann@yahoo.com) [0]", true],
    [550, '5.5.0', '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)', true],
    [550, '5.0.0', '550 <ann@example.com>: Recipient address rejected: User unknown in local recipient table', true],
    [450, '4.1.1', '450 4.1.1 User unknown, try later', false],
    [421, '', '421 Service not available', false],
    [552, '5.2.2', '552 5.2.2 Mailbox is over quota', false],
    [550, '5.1.1', '550 5.1.1 Mailbox full', false],
    [
      550,
      '5.2.1',
      '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents more',
      false,
    ],
    [550, '5.7.1', '550 5.7.1 Unauthenticated email is not accepted', false],
    [550, '5.7.26', '550 5.7.26 User unknown', false],
    [550, '5.1.1', '550 5.1.1 Message rejected due to spam content', false],
    [554, '', '554 5.7.1 Service unavailable; Client host blocked using zen.spamhaus.org', false],
    [550, '', '550 Sender rejected', false],
    [550, '', '550 No', false],
    [250, '', '250 User unknown', false],
    [0, '', 'User unknown', false],
  ];
  for (const [code, enhanced, text, isHard] of cases)
    it(`is ${isHard ? '' : 'not '}said by ${code} ${enhanced} ${text.slice(0, 60)}`, () =>
      assert.equal(isHardBounce({ code, enhanced, text }), isHard));
});

const lines = (...all: string[]): Buffer => Buffer.from(all.join('\r\n'), 'latin1');

const DSN = [
  'From: MAILER-DAEMON@mx.example.com',
  'Subject: Undelivered Mail Returned to Sender',
  'Auto-Submitted: auto-replied',
  'MIME-Version: 1.0',
  'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
  '',
  '--b1',
  'Content-Type: text/plain',
  '',
  'I could not deliver your message.',
  '--b1',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns; mx.example.com',
  'Arrival-Date: Thu, 13 Oct 2011 18:02:00 +0000',
  '',
  'Final-Recipient: rfc822; ann@example.com',
  'Action: failed',
  'Status: 5.0.0',
  'Remote-MTA: dns; MX1.example.net (192.0.2.1)',
  'Diagnostic-Code: smtp; 550 5.1.1 <ann@example.com>:',
  '    No such user here',
  '',
  '--b1',
  'Content-Type: message/rfc822',
  '',
  'Subject: Hello',
  'Content-Type: message/delivery-status',
  '',
  'Action: failed',
  'Status: 5.9.9',
  '--b1--',
];
const FAILED = {
  kind: 'bounce',
  recipients: [
    {
      action: 'failed',
      enhanced: '5.1.1',
      code: 550,
      text: '550 5.1.1 <ann@example.com>: No such user here',
      host: 'mx1.example.net',
    },
  ],
};
const replaced = (from: string, to: string): string[] => DSN.map((line) => line.replace(from, to));
const status = (...fields: string[]): Buffer =>
  lines('Content-Type: multipart/report; boundary=b', '', '--b', 'Content-Type: message/delivery-status', ...fields);

describe('a report', () => {
  it('is read with the recipient that failed, and not from the message that it returns', () =>
    assert.deepEqual(readReport(lines(...DSN)), FAILED));
  it('is read whatever ends its lines', () => assert.deepEqual(readReport(Buffer.from(DSN.join('\n'))), FAILED));
  it('is read of addresses of other scripts, too', () =>
    assert.deepEqual(readReport(lines(...replaced('message/delivery', 'message/global-delivery'))), FAILED));
  it('is read in base64', () => {
    const inner = DSN.slice(13, 22).join('\r\n');
    const mail = status('Content-Transfer-Encoding: base64', '', Buffer.from(inner).toString('base64'), '--b--');
    assert.deepEqual(readReport(mail), FAILED);
  });
  it('is read without a boundary that ends it', () =>
    assert.deepEqual(readReport(status('', ...DSN.slice(13, 22))), FAILED));
  it('of a delay is none of a failure', () => {
    const report = readReport(lines(...replaced('Action: failed', 'Action: delayed')));
    assert.deepEqual(report.kind === 'bounce' && report.recipients.map(({ action }) => action), ['delayed']);
  });

  const words: [what: string, mail: Buffer, expected: unknown][] = [
    [
      'a refusal in free text',
      lines('Subject: failure notice', '', 'Hi.', '<ann@example.com>:', '192.0.2.1 said: 550 5.1.1 User unknown'),
      ['5.1.1', 550],
    ],
    [
      'one without an enhanced code',
      lines('Subject: x', '', 'Remote host said: 554 No such mailbox'),
      [undefined, 554],
    ],
    [
      'the answer of somebody who is away',
      lines('Auto-Submitted: auto-replied', '', 'Call 550 5.1.1 for help'),
      'other',
    ],
    ['another automatic answer', lines('Precedence: auto_reply', '', '550 5.1.1 away'), 'other'],
    ['an ordinary letter', lines('Subject: Hello', '', 'It costs 550 EUR.'), 'other'],
    ['nothing', Buffer.alloc(0), 'other'],
    ['a header without an end', Buffer.from('Subject: x'), 'other'],
    ['a report without fields', status('', '', ''), 'other'],
    ['a report that ends in its header', lines('X: y', '', 'Content-Type: message/delivery-status'), 'other'],
  ];
  for (const [what, mail, expected] of words)
    it(`reads ${what}`, () => {
      const report = readReport(mail);
      if (expected === 'other') assert.deepEqual(report, { kind: 'other' });
      else
        assert.deepEqual(
          report.kind === 'bounce' && [report.recipients[0]?.enhanced, report.recipients[0]?.code],
          expected,
        );
    });

  it('of a complaint says which', () => {
    const mail = lines(
      'From: feedback@isp.example',
      'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
      '',
      '--b',
      'Content-Type: message/feedback-report',
      '',
      'Feedback-Type: abuse',
      'User-Agent: SomeGenerator/1.0',
      'Version: 1',
      '--b',
      'Content-Type: message/rfc822',
      '',
      'Feedback-Type: fraud',
      '--b--',
    );
    assert.deepEqual(readReport(mail), { kind: 'complaint', type: 'abuse' });
  });
});

describe('a hostile file', () => {
  const huge = 10 * 1024 * 1024;
  const files: [what: string, mail: Buffer][] = [
    ['of 10 MB behind the report', Buffer.concat([lines(...DSN), Buffer.alloc(huge, 'x')])],
    ['of 10 MB without a line end', Buffer.alloc(huge, 'a')],
    ['of line ends', Buffer.alloc(huge, '\n')],
    ['of folded lines', Buffer.from(`X: y${'\r\n '.repeat(huge / 3)}`)],
    ['of digits', Buffer.from(`Subject: x\n\n${'550 '.repeat(huge / 4)}`)],
    ['of boundaries', Buffer.from(`Content-Type: multipart/mixed; boundary=b\n\n${'--b\n'.repeat(huge / 4)}`)],
    ['of nested reports', Buffer.from('Content-Type: message/delivery-status\n\n'.repeat(200_000))],
    ['of recipients', status('', 'Action: failed\r\nStatus: 5.1.1\r\n\r\n'.repeat(100_000))],
    ['of one long field', status('', `Action: failed`, `Diagnostic-Code: smtp; 550 ${'5.1.1 '.repeat(1_000_000)}`)],
    ['of zeros', Buffer.alloc(huge)],
  ];
  for (const [what, mail] of files)
    it(`${what} is read in bounds`, () => {
      const before = process.cpuUsage();
      const report = readReport(mail);
      const { user } = process.cpuUsage(before);
      // A hundred times what it takes; what grows with the square of the size takes minutes.
      assert.ok(user < 5_000_000, `${user / 1000} ms`);
      if (report.kind === 'bounce') {
        assert.ok(report.recipients.length <= 101);
        for (const { text } of report.recipients) assert.ok(text.length <= 1000);
      }
    });
});
