import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import nodemailer from 'nodemailer';
import { makeCertificate } from '../../../test/harness/certificate.ts';
import { connectSmtp, type SmtpClient } from '../../../test/harness/smtp-client.ts';
import { AppError } from '../errors/index.ts';
import { createSmtpListener, type SmtpEnvelope, type SmtpListenerOptions } from './index.ts';

interface Stored {
  raw: Buffer;
  envelope: SmtpEnvelope;
}

const log = { debug() {}, info() {}, warn() {}, error() {} };

/** A listener that knows ann and bob, for the duration of `use`. */
async function withListener(
  use: (port: number, stored: Stored[], close: () => Promise<void>) => Promise<void>,
  options: Partial<SmtpListenerOptions> = {},
): Promise<void> {
  const stored: Stored[] = [];
  const listener = await createSmtpListener({
    host: '127.0.0.1',
    port: 0,
    sizeBytesMax: 10_000,
    accept: async (address) => /^(ann|bob)@galley\.test$/i.test(address),
    store: async (raw, envelope) => void stored.push({ raw, envelope }),
    log: log as unknown as SmtpListenerOptions['log'],
    ...options,
  });
  try {
    await use(listener.port, stored, listener.close);
  } finally {
    await listener.close();
  }
}

/** Brings a conversation to where the content follows. */
async function upToData(port: number, ...recipients: string[]): Promise<SmtpClient> {
  const client = await connectSmtp(port);
  await client.say('EHLO client.example');
  await client.say('MAIL FROM:<sender@example.com>');
  for (const recipient of recipients.length ? recipients : ['ann@galley.test'])
    await client.say(`RCPT TO:<${recipient}>`);
  assert.match(await client.say('DATA'), /^354 /);
  return client;
}

describe('createSmtpListener', () => {
  it('stores a message byte for byte with its envelope', async () => {
    await withListener(async (port, stored) => {
      const raw = 'Subject: dots\r\n\r\n.\r\n..two\r\nGr\u00fc\u00dfe\r\n';
      const transport = nodemailer.createTransport({ host: '127.0.0.1', port, name: 'client.example' });
      const sent = await transport.sendMail({
        envelope: { from: 'sender@example.com', to: ['ann@galley.test', 'BOB@galley.test'] },
        raw,
      });
      assert.match(sent.response, /^250 2\.6\.0 /);
      assert.equal(stored.length, 1);
      assert.equal(stored[0]!.raw.toString(), raw);
      assert.deepEqual(stored[0]!.envelope, {
        from: 'sender@example.com',
        recipients: ['ann@galley.test', 'BOB@galley.test'],
        remoteAddress: '127.0.0.1',
        helo: 'client.example',
        isEncrypted: false,
        tls: null,
        transmission: 'ESMTP',
      });
    });
  });

  it('offers its size limit, and neither login nor TLS it does not have', async () => {
    await withListener(async (port) => {
      const client = await connectSmtp(port);
      assert.match(client.greeting, /^220 .*ESMTP/);
      const features = await client.say('EHLO x');
      assert.match(features, /SIZE 10000\b/);
      assert.match(features, /8BITMIME/);
      assert.doesNotMatch(features, /AUTH|STARTTLS/);
      assert.match(await client.say('AUTH PLAIN AGEAYg=='), /^5/);
      client.close();
    });
  });

  it('takes mail for known addresses only', async () => {
    await withListener(async (port, stored) => {
      const client = await connectSmtp(port);
      await client.say('EHLO x');
      await client.say('MAIL FROM:<>');
      assert.match(await client.say('RCPT TO:<eve@galley.test>'), /^550 5\.1\.1 /);
      assert.match(await client.say('RCPT TO:<ann@elsewhere.test>'), /^550 5\.1\.1 /);
      assert.match(await client.say('DATA'), /^503 /);
      assert.match(await client.say('RCPT TO:<Ann@Galley.test>'), /^250 /);
      await client.say('DATA');
      assert.match(await client.say('x\r\n.'), /^250 /);
      assert.deepEqual(
        stored.map(({ envelope }) => [envelope.from, envelope.recipients]),
        [['', ['Ann@Galley.test']]],
      );
      client.close();
    });
  });

  it('refuses what is declared too large, and what is without saying so', async () => {
    await withListener(async (port, stored) => {
      const client = await connectSmtp(port);
      await client.say('EHLO x');
      assert.match(await client.say('MAIL FROM:<a@b.example> SIZE=10001'), /^552 5\.3\.4 /);
      client.close();
      const liar = await upToData(port);
      liar.write(`${'x'.repeat(70)}\r\n`.repeat(1000));
      assert.match(await liar.say('.'), /^552 5\.3\.4 /);
      assert.match(await liar.say('MAIL FROM:<a@b.example>'), /^250 /);
      liar.close();
      assert.deepEqual(stored, []);
    });
  });

  it('answers 250 only after the message is stored', async () => {
    const events: string[] = [];
    const store = async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      events.push('stored');
    };
    await withListener(
      async (port) => {
        const client = await upToData(port);
        events.push((await client.say('x\r\n.')).slice(0, 3));
        client.close();
      },
      { store },
    );
    assert.deepEqual(events, ['stored', '250']);
  });

  it('tells a sender to try again when storing or looking up fails', async () => {
    const fails = {
      store: () => Promise.reject(new Error('disk full')),
      accept: async (address: string) => {
        if (address.startsWith('bob')) throw new Error('database gone');
        return true;
      },
    };
    await withListener(async (port) => {
      const client = await upToData(port);
      const answer = await client.say('x\r\n.');
      assert.match(answer, /^451 4\./);
      assert.doesNotMatch(answer, /disk full/);
      await client.say('MAIL FROM:<a@b.example>');
      assert.match(await client.say('RCPT TO:<bob@galley.test>'), /^451 /);
      client.close();
    }, fails);
  });

  it('tells a sender why never to try again when the message itself is refused', async () => {
    const store = () =>
      Promise.reject(new AppError('invalid_request', 'mime has neither\r\n250 an HTML nor a text part.'));
    await withListener(
      async (port) => {
        const client = await upToData(port);
        assert.equal(
          await client.say('x\r\n.'),
          '554 5.6.0 The message cannot be used: mime has neither 250 an HTML nor a text part.',
        );
        client.close();
      },
      { store },
    );
  });

  it('limits recipients, connections per address and bytes under way', async () => {
    const limits = { recipientsMax: 1, connectionsPerAddressMax: 2, receivingBytesMax: 1000 };
    await withListener(
      async (port, stored) => {
        const client = await connectSmtp(port);
        await client.say('EHLO x');
        await client.say('MAIL FROM:<a@b.example>');
        await client.say('RCPT TO:<ann@galley.test>');
        assert.match(await client.say('RCPT TO:<bob@galley.test>'), /^452 4\.5\.3 /);
        await client.say('DATA');
        client.write(`${'x'.repeat(70)}\r\n`.repeat(20));
        assert.match(await client.say('.'), /^452 /);
        await client.say('MAIL FROM:<a@b.example>');
        await client.say('RCPT TO:<ann@galley.test>');
        await client.say('DATA');
        assert.match(await client.say('small\r\n.'), /^250 /);
        assert.equal(stored.length, 1);
        const second = await connectSmtp(port);
        const third = await connectSmtp(port);
        assert.match(third.greeting, /^421 /);
        for (const open of [client, second, third]) open.close();
      },
      { limits },
    );
  });

  it('is not fooled about where a message ends', async () => {
    await withListener(async (port, stored) => {
      const client = await upToData(port);
      client.write('one\n.\nMAIL FROM:<evil@example.com>\r.\r\ntwo\r\n');
      assert.match(await client.say('.'), /^250 /);
      assert.equal(stored.length, 1);
      assert.match(stored[0]!.raw.toString(), /two/);
      client.close();
    });
  });

  it('stores nothing of a message whose sender leaves', async () => {
    await withListener(async (port, stored) => {
      const client = await upToData(port);
      client.write('half a mess');
      client.close();
      const next = await upToData(port, 'bob@galley.test');
      assert.match(await next.say('whole\r\n.'), /^250 /);
      assert.deepEqual(
        stored.map(({ envelope }) => envelope.recipients),
        [['bob@galley.test']],
      );
      next.close();
    });
  });

  it('ends a connection that drips its message', async () => {
    await withListener(
      async (port, stored) => {
        const client = await upToData(port);
        const drip = setInterval(() => client.write('x'), 5);
        assert.equal(await client.answer(), 'closed');
        clearInterval(drip);
        assert.deepEqual(stored, []);
      },
      { limits: { messageTimeoutMs: 40 } },
    );
  });

  it("speaks TLS with the operator's certificate", async () => {
    await withListener(
      async (port, stored) => {
        const client = await connectSmtp(port);
        assert.match(await client.say('EHLO x'), /STARTTLS/);
        assert.match(await client.say('STARTTLS'), /^220 /);
        await client.startTls();
        await client.say('EHLO x');
        await client.say('MAIL FROM:<a@b.example>');
        await client.say('RCPT TO:<ann@galley.test>');
        await client.say('DATA');
        assert.match(await client.say('x\r\n.'), /^250 /);
        assert.equal(stored[0]!.envelope.isEncrypted, true);
        client.close();
      },
      { tls: makeCertificate({ commonName: 'galley.test' }) },
    );
  });

  it('when closing, ends idle connections and finishes the message under way', async () => {
    const storing = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const store = () => {
      started.resolve();
      return storing.promise;
    };
    await withListener(
      async (port, _stored, close) => {
        const idle = await connectSmtp(port);
        const busy = await upToData(port);
        const answer = busy.say('x\r\n.');
        await started.promise;
        const closed = close();
        assert.match(await idle.answer(), /^421 /);
        storing.resolve();
        assert.match(await answer, /^250 /);
        assert.equal(await busy.answer(), 'closed');
        await closed;
      },
      { store },
    );
  });

  it('rejects when the port is taken', async () => {
    await withListener(async (port) => {
      await assert.rejects(
        withListener(async () => {}, { port }),
        { code: 'EADDRINUSE' },
      );
    });
  });
});
