import assert from 'node:assert/strict';
import net from 'node:net';
import { after, describe, it } from 'node:test';
import { createSpamFilters, spamdAddressFault, traceFields, type FilterEnvelope, type FilterOutcome } from './index.ts';
import { readSpamdReport } from './spamd-answer.ts';

const ENVELOPE: FilterEnvelope = {
  ip: '8.8.8.8',
  helo: 'mail.news.example',
  reverseDns: 'mail.news.example',
  mailFrom: 'bounce@news.example',
  rcptTo: ['anna@local-receiver.example'],
};
const MESSAGE = Buffer.from('From: news@news.example\r\nSubject: Hello\r\n\r\nHello\r\n');

type Reply = (socket: net.Socket, request: string) => void;
const servers: net.Server[] = [];
after(() => servers.forEach((server) => server.close()));

/** A server that does one thing with each connection once something was said. */
async function serverThat(reply: Reply): Promise<{ port: number; requests: string[] }> {
  const requests: string[] = [];
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    let request = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      if (!request)
        setImmediate(() => {
          requests.push(request);
          reply(socket, request);
        });
      request += chunk.toString('latin1');
    });
  });
  servers.push(server);
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as net.AddressInfo).port, requests };
}

/** Not listened on. */
async function closedPort(): Promise<number> {
  const { port } = await serverThat(() => {});
  await new Promise((resolve) => servers.pop()!.close(resolve));
  return port;
}

async function ask(kind: 'spamd' | 'rspamd', port: number, limits = {}, signal?: AbortSignal): Promise<FilterOutcome> {
  const [filter] = createSpamFilters(
    kind === 'spamd' ? { spamd: `127.0.0.1:${port}`, limits } : { rspamd: `http://127.0.0.1:${port}`, limits },
  );
  return filter!.check(MESSAGE, ENVELOPE, signal);
}

const failed = (outcome: FilterOutcome): string => (outcome.ok ? 'answered' : outcome.reason);
const spamd = (body: string, verdict = 'False ; 1.3 / 5.0') =>
  `SPAMD/1.1 0 EX_OK\r\nContent-length: ${Buffer.byteLength(body)}\r\nSpam: ${verdict}\r\n\r\n${body}`;
const http = (body: string, status = '200 OK') =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nServer: rspamd/3.4\r\n` +
  `Connection: close\r\n\r\n${body}`;

describe('createSpamFilters', () => {
  it('tries nothing that is not configured', () => assert.deepEqual(createSpamFilters({}), []));
  it('takes names, addresses and IPv6 literals with a port', () => {
    for (const text of ['localhost:783', '127.0.0.1:783', '[::1]:783'])
      assert.equal(spamdAddressFault(text), undefined, text);
    for (const text of ['', 'localhost', ':783', 'a b:1', 'localhost:0', 'localhost:70000', 'http://localhost:1'])
      assert.ok(spamdAddressFault(text), text);
    assert.throws(() => createSpamFilters({ spamd: 'nowhere' }), TypeError);
  });
});

describe('a filter that misbehaves', () => {
  const cases: [string, 'spamd' | 'rspamd', Reply, string][] = [
    ['says nothing', 'spamd', () => {}, 'timeout'],
    ['says nothing', 'rspamd', () => {}, 'timeout'],
    ['hangs in the middle', 'spamd', (socket) => socket.write('SPAMD/1.1 0 EX_OK\r\nContent-'), 'timeout'],
    [
      'hangs in the middle',
      'rspamd',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{'),
      'timeout',
    ],
    ['closes at once', 'spamd', (socket) => socket.end(), 'broken'],
    ['closes at once', 'rspamd', (socket) => socket.end(), 'broken'],
    ['closes in the middle', 'spamd', (socket) => socket.end(spamd('report').slice(0, -2)), 'broken'],
    ['closes in the middle', 'rspamd', (socket) => socket.end(http('{"score":1}').slice(0, -2)), 'broken'],
    ['speaks another protocol', 'spamd', (socket) => socket.end('220 mail.example ESMTP\r\n'), 'broken'],
    ['speaks another protocol', 'rspamd', (socket) => socket.end('220 mail.example ESMTP\r\n'), 'broken'],
    ['answers without a score', 'spamd', (socket) => socket.end('SPAMD/1.1 0 EX_OK\r\n\r\n'), 'broken'],
    ['answers without a score', 'rspamd', (socket) => socket.end(http('{"action":"no action"}')), 'broken'],
    ['answers with a list', 'rspamd', (socket) => socket.end(http('[]')), 'broken'],
    ['answers with a page', 'rspamd', (socket) => socket.end(http('<html>')), 'broken'],
    ['refuses', 'spamd', (socket) => socket.end('SPAMD/1.0 76 Bad header line\r\n'), 'refused'],
    ['refuses', 'rspamd', (socket) => socket.end(http('{"error":"no"}', '403 Forbidden')), 'refused'],
    ['ran out of time itself', 'spamd', (socket) => socket.end('SPAMD/1.1 79 Timeout\r\n'), 'timeout'],
    ['never stops', 'spamd', (socket) => socket.write(spamd('x'.repeat(300_000))), 'too_large'],
    ['never stops', 'rspamd', (socket) => socket.write(http('x'.repeat(300_000))), 'too_large'],
  ];
  for (const [what, kind, reply, reason] of cases) {
    it(`${kind} ${what}: ${reason}`, async () => {
      const { port } = await serverThat(reply);
      assert.equal(failed(await ask(kind, port, { timeoutMs: 150, answerBytesMax: 100_000 })), reason);
    });
  }
  for (const kind of ['spamd', 'rspamd'] as const) {
    it(`${kind} is not there: unreachable`, async () =>
      assert.equal(failed(await ask(kind, await closedPort())), 'unreachable'));
    it(`${kind} is given up by the caller: aborted`, async () => {
      const stop = new AbortController();
      const { port } = await serverThat(() => stop.abort());
      assert.equal(failed(await ask(kind, port, {}, stop.signal)), 'aborted');
      assert.equal(failed(await ask(kind, port, {}, stop.signal)), 'aborted');
    });
    it(`${kind} is not asked about a message that is too large`, async () => {
      const { port, requests } = await serverThat(() => {});
      assert.equal(failed(await ask(kind, port, { messageBytesMax: 10 })), 'too_large');
      assert.deepEqual(requests, []);
    });
  }
});

describe('what SpamAssassin answers', () => {
  const table =
    'Content analysis details:   (6.1 points, 5.0 required)\n\n pts rule name              description\n' +
    '---- ---------------------- --------------------------------------------------\n' +
    '-0.0 NO_RELAYS              Informational: message was not relayed via SMTP\n' +
    '1000 GTUBE                  BODY: Generic Test for Unsolicited Bulk Email\n' +
    ' 0.7 FREEMAIL_FROM          Sender email is commonly abused enduser mail\n' +
    '                            provider\n                            [anna[at]freemail.example]\n' +
    ' 1.0 T_NO_DESCRIPTION\n 0.0 TVD_SPACE_RATIO        No description available.\n\n' +
    'The message follows\n 2.0 NOT_A_RULE here\n';
  it('reads rules with their points and descriptions over several lines', () => {
    assert.deepEqual(readSpamdReport(Buffer.from(spamd(table, 'True ; 1001.7 / 5.0'))), {
      score: 1001.7,
      threshold: 5,
      isSpam: true,
      rules: [
        { name: 'NO_RELAYS', points: -0, description: 'Informational: message was not relayed via SMTP' },
        { name: 'GTUBE', points: 1000, description: 'Generic Test for Unsolicited Bulk Email' },
        {
          name: 'FREEMAIL_FROM',
          points: 0.7,
          description: 'Sender email is commonly abused enduser mail provider [anna[at]freemail.example]',
        },
        { name: 'T_NO_DESCRIPTION', points: 1, description: '' },
        { name: 'TVD_SPACE_RATIO', points: 0, description: '' },
      ].map((rule) => ({ ...rule, points: rule.points || 0 })),
    });
  });
  it('reads a site template that lists scores', () => {
    const { rules } = readSpamdReport(Buffer.from(spamd('HTML_MESSAGE=0.001,MISSING_DATE=1.4\n')));
    assert.deepEqual(
      rules.map(({ name, points }) => [name, points]),
      [
        ['HTML_MESSAGE', 0.001],
        ['MISSING_DATE', 1.4],
      ],
    );
  });
  it('gives score, verdict, version and rules by points', async () => {
    const { port, requests } = await serverThat((socket, request) =>
      socket.end(
        request.startsWith('HEADERS')
          ? spamd('X-Spam-Checker-Version: SpamAssassin 4.0.1 (2024-03-25) on vm\r\n')
          : spamd(table, 'True ; 6.1 / 5.0'),
      ),
    );
    const outcome = await ask('spamd', port);
    assert.ok(outcome.ok);
    assert.deepEqual(
      { ...outcome, rules: outcome.rules.map(({ name }) => name), tookMs: 0 },
      {
        ok: true,
        engine: 'spamassassin',
        score: 6.1,
        threshold: 5,
        verdict: 'spam',
        action: null,
        rules: ['GTUBE', 'T_NO_DESCRIPTION', 'FREEMAIL_FROM', 'NO_RELAYS', 'TVD_SPACE_RATIO'],
        version: '4.0.1',
        tookMs: 0,
      },
    );
    assert.ok(requests.some((request) => request.startsWith('REPORT SPAMC/1.5\r\nContent-length: ')));
  });
});

describe('what Rspamd answers', () => {
  const answer = {
    is_skipped: false,
    score: 7.2,
    required_score: 15,
    action: 'add header',
    symbols: {
      A: { name: 'A', score: 0.2, description: 'a', options: ['x', 1] },
      B: { name: 'B', score: 7 },
      C: 'nonsense',
      D: { name: 'D', score: -1, description: 'd' },
    },
  };
  it('gives the action as a verdict, and symbols by points', async () => {
    const { port, requests } = await serverThat((socket) => socket.end(http(JSON.stringify(answer))));
    const outcome = await ask('rspamd', port);
    assert.ok(outcome.ok);
    assert.deepEqual(
      { ...outcome, tookMs: 0 },
      {
        ok: true,
        engine: 'rspamd',
        score: 7.2,
        threshold: 15,
        verdict: 'spam',
        action: 'add header',
        version: '3.4',
        tookMs: 0,
        rules: [
          { name: 'B', points: 7, description: '' },
          { name: 'A', points: 0.2, description: 'a', options: ['x'] },
          { name: 'D', points: -1, description: 'd' },
        ],
      },
    );
    for (const header of [
      'From: bounce@news.example',
      'Rcpt: anna@local-receiver.example',
      'IP: 8.8.8.8',
      'Helo: mail.news.example',
      'Hostname: mail.news.example',
    ])
      assert.match(requests[0]!, new RegExp(`^${header}\r$`, 'm'));
  });
  for (const [action, verdict] of [
    ['no action', 'nothing_found'],
    ['greylist', 'soft'],
    ['reject', 'spam'],
    ['rewrite subject', 'spam'],
    ['an action of a site', 'nothing_found'],
  ]) {
    it(`takes "${action}" for ${verdict}`, async () => {
      const { port } = await serverThat((socket) => socket.end(http(JSON.stringify({ ...answer, action }))));
      const outcome = await ask('rspamd', port);
      assert.equal(outcome.ok && outcome.verdict, verdict);
    });
  }
  it('gives a symbol that decides alone the whole score', async () => {
    const { port } = await serverThat((socket) =>
      socket.end(
        http(
          JSON.stringify({
            is_skipped: true,
            score: 15,
            required_score: 15,
            action: 'reject',
            symbols: { GTUBE: { name: 'GTUBE', score: 0 } },
          }),
        ),
      ),
    );
    const outcome = await ask('rspamd', port);
    assert.deepEqual(outcome.ok && outcome.rules, [{ name: 'GTUBE', points: 15, description: '' }]);
  });
});

describe('traceFields', () => {
  it('writes what the receiving server would have put in front', () => {
    assert.equal(
      traceFields({ ...ENVELOPE, ip: '2001:4860::1', receivedAt: '2026-11-21T10:00:00Z' }, new Date(0)),
      [
        'X-Envelope-From: <bounce@news.example>',
        'Received: from mail.news.example (mail.news.example [IPv6:2001:4860::1])',
        '\tby mx.local-receiver.example (Postfix) with ESMTPS id 4galley0received',
        '\tfor <anna@local-receiver.example>; Sat, 21 Nov 2026 10:00:00 +0000',
        '',
      ].join('\r\n'),
    );
  });
  it('says of a client without a name that it is unknown', () => {
    assert.match(
      traceFields({ ...ENVELOPE, reverseDns: null, isEncrypted: false }, new Date(0)),
      /\(unknown \[8\.8\.8\.8\]\)\r\n\tby \S+ \(Postfix\) with ESMTP id/,
    );
  });
  it('lets no value of a caller become a header', () => {
    const hostile = 'a\r\nX-Evil: yes\r\n\r\n(b) [c] <d>; é';
    const text = traceFields(
      {
        ip: hostile,
        helo: hostile,
        reverseDns: hostile,
        mailFrom: hostile,
        rcptTo: [hostile],
        receivedBy: hostile,
        receivedAt: hostile,
      },
      new Date(0),
    );
    assert.equal(text.split('\r\n').length, 5);
    assert.doesNotMatch(text, /^X-Evil/m);
    assert.match(text, /\[127\.0\.0\.1\]\)/);
  });
});
