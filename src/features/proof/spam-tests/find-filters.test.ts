// Filters that no setting names: found where they run by themselves, recommended where they do not.
import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import { rspamdAbsence, startRspamd } from '../../../../test/harness/rspamd.ts';
import { spamdAbsence, startSpamd } from '../../../../test/harness/spamd.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const HTML =
  '<!doctype html><html lang="en"><body><p>Dear Anna, the last tulips want to go into the ground before the first ' +
  'hard frost, and this is the letter of the garden for you and your friends.</p></body></html>';
let app: App;
/** Where the app looks; a test changes it, and moves time on so that the app looks again. */
const places = { spamd: [] as { host: string; port: number }[], rspamd: [] as string[], programs: [] as string[] };
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,mail' }, { filterPlaces: places });
});
after(() => app.close());

async function analysisWith(changes: Partial<typeof places>): Promise<any> {
  Object.assign(places, { spamd: [], rspamd: [], programs: [] }, changes);
  app.clock.advance(61_000);
  const { status, body } = await app.call('POST /v1/inspect/spam', {
    body: { subject: 'The garden in November', html: HTML },
  });
  assert.equal(status, 201, JSON.stringify(body));
  await app.idle();
  return (await app.call(`GET /v1/inspect/spam/${body.item.id}`)).body.item.analysis;
}

const adviceOf = ({ filter_advice: advice }: any) =>
  advice.map(({ engine, state, address, fix }: any) => [engine, state, address, fix === null]);

describe('filters that no setting names', () => {
  it(
    'are asked when they run on this machine, and the result says where they were found',
    { skip: spamdAbsence ?? rspamdAbsence ?? false },
    async () => {
      const [spamd, rspamd] = await Promise.all([startSpamd(), startRspamd()]);
      try {
        const [host, port] = spamd.address.split(':') as [string, string];
        const analysis = await analysisWith({ spamd: [{ host, port: Number(port) }], rspamd: [rspamd.url] });
        assert.deepEqual(
          analysis.filters.map(({ engine, failure }: any) => [engine, failure]),
          [
            ['rspamd', null],
            ['spamassassin', null],
            ['built-in', null],
          ],
        );
        assert.deepEqual(adviceOf(analysis), [
          ['rspamd', 'found', rspamd.url, true],
          ['spamassassin', 'found', spamd.address, true],
        ]);
      } finally {
        await Promise.all([spamd.close(), rspamd.close()]);
      }
    },
  );
  it('are recommended when their programs are installed and do not run, and when they are absent', async () => {
    const installed = await analysisWith({ programs: ['/usr/sbin', '/usr/bin'] });
    assert.deepEqual(adviceOf(installed), [
      ['rspamd', rspamdAbsence ? 'absent' : 'installed', null, false],
      ['spamassassin', spamdAbsence ? 'absent' : 'installed', null, false],
    ]);
    const absent = await analysisWith({});
    assert.deepEqual(
      absent.filters.map(({ engine }: any) => engine),
      ['built-in'],
    );
    assert.match(absent.filter_advice[1].message, /^SpamAssassin is not on this machine, so it was not asked\. In /);
    assert.equal(
      absent.filter_advice[1].fix,
      'Install it (Debian: apt install spamassassin spamd) and start it; Galley finds it within a minute. ' +
        'Elsewhere: set GALLEY_SPAMD=host:783.',
    );
  });
  it('are never taken for what only listens there', async () => {
    const sockets = new Set<net.Socket>();
    const chatter = net.createServer((socket) => {
      sockets.add(socket.on('error', () => socket.destroy()));
      socket.write('220 hello\r\n'.repeat(300));
    });
    await new Promise<void>((resolve) => chatter.listen(0, '127.0.0.1', resolve));
    const { port } = chatter.address() as net.AddressInfo;
    const analysis = await analysisWith({ spamd: [{ host: '127.0.0.1', port }], rspamd: [`http://127.0.0.1:${port}`] });
    assert.deepEqual(adviceOf(analysis), [
      ['rspamd', 'absent', null, false],
      ['spamassassin', 'absent', null, false],
    ]);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => chatter.close(resolve));
  });
});

describe('the verdict of the built-in rules', () => {
  it('says “nothing found”, never “ham”, with what was measured, when, on which mail', async () => {
    const [own] = (await analysisWith({})).filters;
    assert.deepEqual([own.engine, own.verdict], ['built-in', 'nothing_found']);
    assert.match(own.measured.date, /^\d{4}-\d{2}-\d{2}$/);
    assert.deepEqual([...new Set(own.measured.rates.map(({ kind }: any) => kind))].sort(), [
      'detection',
      'false_positives',
    ]);
    for (const { messages, called_spam: called, share, low, high, collection } of own.measured.rates) {
      assert.ok(
        messages > 0 && called <= messages && low <= share && share <= high && collection,
        JSON.stringify(own.measured.rates),
      );
    }
    assert.deepEqual([own.measured.language.code, own.measured.language.status], ['en', 'measured']);
    const { status, body } = await app.call('GET /v1/inspect/spam/measurements');
    assert.equal(status, 200);
    for (const collection of body.item.collections)
      assert.ok(collection.license && collection.source && collection.built_in.messages > 0, collection.id);
    assert.deepEqual(
      body.item.languages.map(({ language }: any) => language),
      ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'],
    );
    for (const { status: said, detection, false_positives: wrong } of body.item.languages)
      assert.equal(said === 'measured', detection !== null || wrong !== null);
    assert.ok(
      body.item.collections.some(({ same_sample: said }: any) => said.length === 3),
      'SpamAssassin and Rspamd in the same run',
    );
  });
});
