// Reports of others, counted by others; and what a hostile reporter sends.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import counts from './fixtures/dmarc-reports/counts.json' with { type: 'json' };
import { readReportFile, type AggregateReport, type DomainReport } from '../src/engines/dmarc-reports/index.ts';

const ENGINE = join(import.meta.dirname, '../src/engines/dmarc-reports/index.ts');
const CORPUS = join(import.meta.dirname, 'fixtures/dmarc-reports');

async function readCorpus(path: string) {
  return readReportFile({ name: path, bytes: await readFile(join(CORPUS, path)) });
}

async function onlyReport(path: string): Promise<DomainReport> {
  const { reports, refused } = await readCorpus(path);
  assert.deepEqual(refused, [], path);
  assert.equal(reports.length, 1, path);
  return reports[0]!;
}

interface Record {
  ip?: string;
  count?: number | string;
  dkim?: string;
}

const recordOf = ({ ip = '192.0.2.1', count = 1, dkim = 'pass' }: Record = {}): string =>
  `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated><disposition>none</disposition>` +
  `<dkim>${dkim}</dkim><spf>fail</spf></policy_evaluated></row><identifiers><header_from>example.com</header_from>` +
  '</identifiers><auth_results><dkim><domain>example.com</domain><result>pass</result></dkim></auth_results></record>';

const feedback = (records: string, { head = '<?xml version="1.0"?>', policy = '' } = {}): string =>
  `${head}<feedback><report_metadata><org_name>Receiver</org_name><report_id>1</report_id><date_range>` +
  '<begin>1700000000</begin><end>1700086399</end></date_range></report_metadata><policy_published>' +
  `<domain>example.com</domain><p>none</p>${policy}</policy_published>${records}</feedback>`;

const read = (content: string | Uint8Array, name = 'report.xml') =>
  readReportFile({ name, bytes: typeof content === 'string' ? Buffer.from(content) : content });

async function refusalOf(content: string | Uint8Array): Promise<string> {
  const { reports, refused } = await read(content);
  assert.deepEqual(reports, []);
  assert.equal(refused.length, 1);
  return refused[0]!.reason;
}

async function aggregateOf(content: string | Uint8Array): Promise<AggregateReport> {
  const { reports, refused } = await read(content);
  assert.deepEqual(refused, []);
  assert.equal(reports[0]?.kind, 'aggregate');
  return reports[0] as AggregateReport;
}

describe('the corpus', () => {
  it('gives the counts that other programs count', async () => {
    let reports = 0;
    for (const [path, expected] of Object.entries(counts)) {
      const report = await onlyReport(path);
      assert.equal(report.kind, 'aggregate', path);
      const { rows, records, messages } = report as AggregateReport;
      const passing = rows
        .filter(({ isDkimAligned, isSpfAligned }) => isDkimAligned || isSpfAligned)
        .reduce((sum, { count }) => sum + count, 0);
      assert.deepEqual({ records, messages, passing }, expected, path);
      assert.equal(
        rows.reduce((sum, { count }) => sum + count, 0),
        messages,
        path,
      );
      reports += 1;
    }
    assert.equal(reports, 29);
  });

  it('reads both schemas', async () => {
    const names = await readdir(join(CORPUS, 'parsedmarc/aggregate'));
    const path = names.find((name) => name.startsWith('rfc9990-example.net'))!;
    const report = (await onlyReport(`parsedmarc/aggregate/${path}`)) as AggregateReport;
    assert.equal(report.schema, 'rfc9990');
    assert.deepEqual(report.policy, {
      domain: 'example.com',
      p: 'reject',
      sp: 'quarantine',
      np: 'reject',
      adkim: 's',
      aspf: 's',
      pct: '',
      testing: 'y',
      discoveryMethod: 'treewalk',
      fo: '1',
    });
    assert.deepEqual(report.rows[1], {
      sourceIp: '203.0.113.10',
      count: 2,
      disposition: 'reject',
      isDkimAligned: false,
      isSpfAligned: false,
      reasons: [{ type: 'other', comment: 'sender not authorized' }],
      headerFrom: 'example.com',
      envelopeFrom: 'spoofed.example.com',
      dkim: [],
      spf: [{ domain: 'spoofed.example.com', scope: 'mfrom', result: 'fail' }],
    });
    const old = (await onlyReport('parsedmarc/aggregate/old_draft_from_wiki.xml')) as AggregateReport;
    assert.deepEqual([old.schema, old.policy.pct], ['rfc7489', '100']);
  });

  it('reads reports of TLS', async () => {
    const report = await onlyReport('parsedmarc/smtp_tls/rfc8460.json');
    assert.equal(report.kind, 'tls');
    assert.ok(report.kind === 'tls');
    assert.deepEqual([report.organization, report.reportId], ['Company-X', '5065427c-23d3-47ca-b6e0-946ea0e8c4be']);
    const [policy] = report.policies;
    assert.deepEqual(
      [policy?.domain, policy?.type, policy?.successful, policy?.failed],
      ['company-y.example', 'sts', 5326, 303],
    );
    assert.deepEqual(
      policy?.failures.map(({ type, count }) => [type, count]),
      [
        ['certificate-expired', 100],
        ['starttls-not-supported', 200],
        ['validation-failure', 3],
      ],
    );
    for (const name of await readdir(join(CORPUS, 'dmarc-report-viewer/smtp-tls-reports')))
      assert.equal((await onlyReport(`dmarc-report-viewer/smtp-tls-reports/${name}`)).kind, 'tls', name);
  });

  it('reads failure reports, and says what is none', async () => {
    const path = 'parsedmarc/failure/dmarc_ruf_report_linkedin.eml';
    assert.deepEqual(await onlyReport(path), {
      kind: 'failure',
      arrived: '2019-04-30T02:09:00.000Z',
      sourceIp: '10.10.10.10',
      domain: 'example.com',
      failure: 'dmarc',
      result: 'delivered',
      reporter: 'dmarc-noreply@linkedin.com',
      from: 'Sender <sender@example.com>',
      subject: 'Subject line, could be UTF8 encoded',
      messageId: '<01010101010101010101010101010101@ABAB01MS0016.someserver.loc>',
    });
    const { refused } = await readCorpus('parsedmarc/failure/exim_plain_text_only_no_arf_part.eml');
    assert.equal(refused[0]?.reason, 'No part of the mail is a report.');
  });
});

describe('a file', () => {
  it('is read as it comes: plain, packed, in UTF-16, with a byte order mark, with namespaces', async () => {
    const xml = feedback(recordOf({ count: 7 }));
    const utf16 = Buffer.from(`\uFEFF${xml.replace('?>', ' encoding="UTF-16"?>')}`, 'utf16le');
    const prefixed = xml.replaceAll(/<(\/?)([a-z])/g, '<$1d:$2');
    for (const content of [xml, gzipSync(xml), zipSync({ 'a.xml': Buffer.from(xml) }), utf16, `\uFEFF${xml}`, prefixed])
      assert.equal((await aggregateOf(content)).messages, 7);
    const mail =
      'From: a@example.net\r\nSubject: Report\r\nContent-Type: application/gzip; name=a.xml.gz\r\n' +
      `Content-Transfer-Encoding: base64\r\n\r\n${gzipSync(xml).toString('base64')}\r\n`;
    assert.equal((await aggregateOf(mail)).messages, 7);
  });

  it('adds up rows that say the same, and leaves out those without an address or a count', async () => {
    const records = [recordOf({ count: 2 }), recordOf({ count: 3 }), recordOf({ ip: 'x' }), recordOf({ count: '-1' })];
    const { rows, messages, problems } = await aggregateOf(feedback(records.join('')));
    assert.deepEqual([rows.length, rows[0]?.count, messages], [1, 5, 5]);
    assert.deepEqual(problems, [
      'Record 3 is not counted: it has no source_ip.',
      'Record 4 is not counted: it has no count.',
    ]);
  });

  const xml = feedback(recordOf());
  const refusals: [string, string | Uint8Array, RegExp][] = [
    ['nothing', '', /^It is empty/],
    ['cut off', xml.slice(0, -20), /does not end/],
    ['cut gzip', gzipSync(xml).subarray(0, -12), /gzip is damaged or cut off/],
    ['cut zip', zipSync({ 'a.xml': Buffer.from(xml) }).subarray(0, 80), /zip is damaged/],
    ['packed twice', gzipSync(gzipSync(xml)), /packed twice/],
    ['two reports', xml + xml.replace(/^<\?xml[^>]*>/, ''), /more than one report/],
    ['another XML', '<html><body/></html>', /first element is html/],
    ['no domain', xml.replace('<domain>example.com</domain><p>', '<p>'), /names no domain/],
    ['no time', xml.replace('1700000000', 'yesterday'), /date_range/],
    ['an end before the beginning', xml.replace('1700086399', '1600000000'), /date_range/],
    ['text', 'Hello, world.', /neither XML of a DMARC report nor JSON/],
    ['broken JSON', '{"report-id": "1"', /no JSON/],
    ['JSON of something else', '{"a": [1]}', /no TLS report/],
    [
      'entities',
      feedback(recordOf({ count: '&lol9;' }), {
        head: '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol9 "&lol;&lol;">]>',
      }),
      /declares a document type/,
    ],
    ['deep nesting', `<feedback>${'<a>'.repeat(100_000)}`, /nested more than 24 deep/],
    ['an unknown encoding', xml.replace('"1.0"', '"1.0" encoding="klingon"'), /encoding that is not known/],
  ];
  for (const [name, content, reason] of refusals)
    it(`is refused: ${name}`, async () => assert.match(await refusalOf(content), reason));
});

describe('a mail', () => {
  it('with more files than are read says so', async () => {
    const part = `--x\r\nContent-Type: application/xml\r\nContent-Disposition: attachment; filename=r.xml\r\n\r\n`;
    const body = Array.from({ length: 22 }, (_, at) => `${part}${feedback(recordOf({ count: at + 1 }))}\r\n`).join('');
    const mail = `From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n${body}--x--`;
    const { reports, refused } = await readReportFile({ name: 'mail', bytes: Buffer.from(mail) });
    assert.equal(reports.length, 20);
    assert.deepEqual(refused, [{ name: 'mail: mail', reason: 'It carries 22 files; the first 20 were read.' }]);
  });
});

/** Reads a file in a process of its own; answers what came out and the most memory that it took, in MB. */
async function readApart(bytes: Uint8Array): Promise<{ reason: string; messages: number; megabytes: number }> {
  const dir = await mkdtemp(join(tmpdir(), 'galley-dmarc-'));
  try {
    await writeFile(join(dir, 'file'), bytes);
    const program = `
      import { existsSync, readFileSync } from 'node:fs';
      import { readReportFile } from ${JSON.stringify(ENGINE)};
      const { reports, refused } = await readReportFile({ name: 'x', bytes: readFileSync(process.argv[1]) });
      // Linux counts what the parent had before this program was loaded into maxRSS, but not into VmHWM.
      const peak = existsSync('/proc/self/status')
        ? Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
        : process.resourceUsage().maxRSS;
      console.log(JSON.stringify({ reason: refused[0]?.reason ?? '', messages: reports[0]?.messages ?? 0,
        megabytes: peak / 1024 }));`;
    const args = ['--input-type=module', '-e', program, join(dir, 'file')];
    return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
  } finally {
    await rm(dir, { recursive: true });
  }
}

describe('memory', () => {
  it('is bounded for bombs and large reports', async () => {
    const { megabytes: idle } = await readApart(Buffer.from(feedback(recordOf())));
    const bomb = Buffer.concat([Buffer.from('<feedback><report_metadata>'), Buffer.alloc(400 << 20, ' ')]);
    const tags = Buffer.from(`<feedback><${'a'.repeat(80 << 20)}`);
    const cases: [string, Uint8Array, RegExp][] = [
      ['gzip bomb', gzipSync(bomb), /unpacks to more than 64 MB/],
      ['zip bomb', zipSync({ 'a.xml': bomb.subarray(0, 200 << 20) }), /unpacks to more than 64 MB/],
      ['one endless tag', gzipSync(tags), /unpacks to more than 64 MB/],
      ['too large a file', Buffer.alloc(26 << 20, '<'), /larger than 25 MB/],
      ['too many records', gzipSync(feedback(recordOf().repeat(50_001))), /more than 50000 records/],
    ];
    for (const [name, bytes, expected] of cases) {
      const { reason, megabytes } = await readApart(bytes);
      assert.match(reason, expected, name);
      assert.ok(megabytes - idle < 256, `${name}: ${Math.round(megabytes - idle)} MB more than a small report`);
    }
    const rows = Array.from({ length: 33_000 }, (_, at) => recordOf({ ip: `10.0.${at >> 8}.${at & 255}`, count: 2 }));
    const large = Buffer.from(feedback(rows.join('')));
    assert.ok(large.length > 10 << 20, `${large.length}`);
    const { messages, megabytes } = await readApart(large);
    assert.equal(messages, 66_000);
    assert.ok(megabytes - idle < 256, `10 MB: ${Math.round(megabytes - idle)} MB more than a small report`);
  });
});
