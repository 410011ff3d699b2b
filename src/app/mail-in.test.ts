import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { connectSmtp } from '../../test/harness/smtp-client.ts';
import { readConfig } from '../platform/config/index.ts';
import { invalid } from '../platform/errors/index.ts';
import type { MailReceiver, SpooledEnvelope } from '../platform/feature/index.ts';
import { createLog } from '../platform/log/index.ts';
import { openSpool, SmtpRefusal, type SmtpListener } from '../platform/mail/index.ts';
import { listenForMail } from './mail-in.ts';

interface Got {
  raw: string;
  envelope: SpooledEnvelope;
}

let dataDir: string;
let listener: SmtpListener | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'galley-mail-in-'));
});
afterEach(async () => {
  await listener?.close();
  listener = undefined;
  await rm(dataDir, { recursive: true, force: true });
});

const spoolDir = () => join(dataDir, 'spool');

/** The listener with a receiver for `…@spool.test`, and others. Waits between attempts are short. */
async function listen(
  receive: (got: Got) => Promise<void>,
  { others = [], drainSeconds = '5' }: { others?: MailReceiver<unknown>[]; drainSeconds?: string } = {},
): Promise<SmtpListener> {
  const spooled: MailReceiver<unknown> = {
    name: 'spooled',
    delivery: 'spooled',
    accepts: async (_outside, address) => address.endsWith('@spool.test'),
    receive: (_outside, raw, envelope) => receive({ raw: raw.toString('latin1'), envelope }),
  };
  const outside = {
    config: readConfig({ GALLEY_DATA_DIR: dataDir, GALLEY_SMTP_PORT: '0', GALLEY_DRAIN_SECONDS: drainSeconds }),
    log: createLog('silent'),
  };
  listener = await listenForMail(outside, [{ mailReceivers: [spooled, ...others] }], {
    retryWaitsMs: [1, 1],
  });
  return listener;
}

/** Says a message; answers what the listener replies to it. */
async function send(port: number, text = 'one', recipients: readonly string[] = ['a@spool.test']): Promise<string> {
  const client = await connectSmtp(port);
  await client.say('EHLO client.test');
  await client.say('MAIL FROM:<sender@client.test>');
  for (const recipient of recipients) await client.say(`RCPT TO:<${recipient}>`);
  await client.say('DATA');
  const reply = await client.say(`Subject: x\r\n\r\n${text}\r\n.`);
  client.close();
  return reply;
}

/** Resolves with what a receiver got, once it got so many. */
function collector(
  count: number,
  refuse: (index: number) => Error | undefined = () => undefined,
): { receive(got: Got): Promise<void>; all: Promise<Got[]> } {
  const got: Got[] = [];
  const { promise, resolve } = Promise.withResolvers<Got[]>();
  return {
    all: promise,
    async receive(one) {
      got.push(one);
      if (got.length === count) resolve(got);
      const error = refuse(got.length);
      if (error) throw error;
    },
  };
}

describe('mail to a receiver of the spool', () => {
  it('is handed over after its 250, with an id and the recipients that are its own', async () => {
    const { receive, all } = collector(1);
    const other: MailReceiver<unknown> = {
      name: 'other',
      accepts: async (_outside, address) => address.endsWith('@direct.test'),
      receive: async () => {},
    };
    const { port } = await listen(receive, { others: [other] });
    assert.match(await send(port, 'Hello', ['a@spool.test', 'c@direct.test', 'b@spool.test']), /^250 /);
    const [{ raw, envelope }] = (await all) as [Got];
    assert.match(raw, /Hello/);
    assert.deepEqual([envelope.from, envelope.recipients], ['sender@client.test', ['a@spool.test', 'b@spool.test']]);
    assert.match(envelope.id, /^[0-9a-f-]{36}$/);
    await listener?.close();
    assert.deepEqual(await readdir(spoolDir()), []);
  });

  it('comes again, under the same id, to one that failed', async () => {
    const { receive, all } = collector(3, (index) => (index < 3 ? new Error('not yet') : undefined));
    const { port } = await listen(receive);
    assert.match(await send(port), /^250 /);
    const got = await all;
    assert.equal(new Set(got.map(({ envelope }) => envelope.id)).size, 1);
    await listener?.close();
    assert.deepEqual(await readdir(spoolDir()), []);
  });

  for (const { name, attempts, error } of [
    { name: 'that fails in every attempt', attempts: 3, error: new Error('never') },
    { name: 'that cannot use it, at once', attempts: 1, error: invalid('mime', 'is of no use.') },
  ]) {
    it(`is set aside, with its reason, for one ${name}`, async () => {
      const { receive, all } = collector(attempts, () => error);
      const { port } = await listen(receive);
      await send(port, 'kept');
      const {
        envelope: { id },
      } = (await all)[0] as Got;
      await listener?.close();
      assert.deepEqual((await readdir(spoolDir(), { recursive: true })).sort(), [
        'aside',
        join('aside', `${id}.eml`),
        join('aside', `${id}.json`),
      ]);
      assert.match(await readFile(join(spoolDir(), 'aside', `${id}.eml`), 'utf8'), /kept/);
      const known = JSON.parse(await readFile(join(spoolDir(), 'aside', `${id}.json`), 'utf8'));
      assert.deepEqual([known.reason, known.about.envelope.recipients], [error.message, ['a@spool.test']]);
    });
  }

  it('comes again after a restart when its hand-over was cut off, and what was not begun comes too', async () => {
    const begun = collector(4);
    const { port } = await listen(
      async (got) => {
        await begun.receive(got);
        await new Promise(() => {});
      },
      { drainSeconds: '0' },
    );
    for (const text of ['1', '2', '3', '4', '5', '6']) assert.match(await send(port, text), /^250 /);
    // Several are handed over at once, so neither order is that of their arrival.
    const idByText = (got: Got[]): Record<string, string> =>
      Object.fromEntries(got.map(({ raw, envelope }) => [raw.trim().at(-1), envelope.id]));
    const before = idByText(await begun.all);
    await listener?.close();
    const { receive, all } = collector(6);
    await listen(receive);
    const again = await all;
    assert.deepEqual(again.map(({ raw }) => raw.trim().at(-1)).sort(), ['1', '2', '3', '4', '5', '6']);
    const after = idByText(again);
    assert.deepEqual(Object.fromEntries(Object.keys(before).map((text) => [text, after[text]])), before);
    assert.equal(Object.keys(before).length, 4);
  });

  it('is answered with 452, and not handed over, while the disk does not take it', async () => {
    const { receive, all } = collector(1);
    const { port } = await listen(receive);
    // Something else stands where the spool makes its files.
    await rename(spoolDir(), join(dataDir, 'away'));
    await writeFile(spoolDir(), '');
    assert.match(await send(port, 'refused'), /^452 4\.3\.1 /);
    await rm(spoolDir());
    assert.match(await send(port, 'taken'), /^250 /);
    assert.deepEqual(
      (await all).map(({ raw }) => /taken/.test(raw)),
      [true],
    );
  });

  it('is not kept when a receiver that answers itself refuses the message', async () => {
    const { receive, all } = collector(1);
    const refusing: MailReceiver<unknown> = {
      name: 'refusing',
      accepts: async (_outside, address) => address.endsWith('@direct.test'),
      receive: async () => {
        throw new SmtpRefusal(550, '5.7.1 Not wanted');
      },
    };
    const { port } = await listen(receive, { others: [refusing] });
    assert.match(await send(port, 'first', ['a@spool.test', 'b@direct.test']), /^550 5\.7\.1 Not wanted/);
    await send(port, 'second');
    assert.deepEqual(
      (await all).map(({ raw }) => /second/.test(raw)),
      [true],
    );
    await listener?.close();
    const spool = await openSpool(spoolDir());
    assert.deepEqual(spool.waiting(), []);
    await spool.close();
  });
});
