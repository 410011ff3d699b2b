import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { CLIENTS, defaultClientIds, expandClients, findClient, type ClientFamily } from './catalog.ts';
import appearances from '../../../data/clients/appearances.json' with { type: 'json' };
import sources from '../../../data/clients/sources.json' with { type: 'json' };
import { clientsOfData, familyOf, features } from '../caniemail/index.ts';

const family: ClientFamily = {
  family: 'Test',
  defaults: {
    client: 'Test',
    version: '',
    free: true,
    imageBlocking: false,
    extension: '',
    fidelity: 'engine',
    engine: 'chromium',
    plugins: [],
    device: 'desktop',
    category: 'Web',
    messageBytesMax: null,
    sources: ['caniemail'],
  },
  clients: [
    {
      id: 'test_chrome',
      displayName: 'Test',
      browser: 'Chrome',
      support: 'gmail.desktop-webmail',
      dark: { darkStrategy: 'full', darkBase: '#222222' },
    },
  ],
};

describe('client catalog', () => {
  it('offers at least seventy clients under unique ids', () => {
    assert.ok(CLIENTS.length >= 70, `${CLIENTS.length} clients`);
    assert.equal(new Set(CLIENTS.map((client) => client.id)).size, CLIENTS.length);
    assert.equal(new Set(CLIENTS.map((client) => client.displayName)).size, CLIENTS.length);
  });

  it('has a sensible number of defaults, of every family', () => {
    const ids = defaultClientIds();
    assert.ok(ids.length >= 40 && ids.length <= 48, `${ids.length} defaults`);
    for (const name of new Set(CLIENTS.map((client) => client.family)))
      assert.ok(
        ids.some((id) => findClient(id)?.family === name),
        `${name} has no default`,
      );
  });

  it('points into the caniemail data from every row', () => {
    const known = new Set(clientsOfData().map((client) => `${client.family}.${client.platform}`));
    for (const { id, support } of CLIENTS) {
      assert.ok(support, id);
      assert.ok(
        known.has(`${familyOf(support.family)}.${support.platform}`),
        `${id}: ${support.family}.${support.platform}`,
      );
    }
  });

  it('shows every family and platform that the data tests in more than five features', () => {
    const used = new Set(CLIENTS.map((client) => `${client.support?.family}.${client.support?.platform}`));
    const missing = clientsOfData().filter(({ family: name, platform }) => {
      const rows = features.filter((feature) => feature.stats.get(name)?.has(platform)).length;
      return rows > 5 && !used.has(`${name}.${platform}`);
    });
    // Thunderbird's Windows rows are a small part of its macOS rows.
    assert.deepEqual(missing, [{ family: 'thunderbird', platform: 'windows' }]);
  });

  it('names the source and date of what it says', () => {
    for (const client of CLIENTS) {
      assert.ok(client.sources.length >= 2, client.id);
      for (const source of client.sources)
        assert.match(source.url, /^https?:\/\/|^data\/clients\/README\.md$/, `${client.id}: ${source.url}`);
    }
  });

  it('has no source and no appearance that nothing uses', () => {
    const urls = new Set(CLIENTS.flatMap((client) => client.sources.map((source) => `${source.what} ${source.url}`)));
    assert.deepEqual(
      Object.entries(sources.sources)
        .filter(([, source]) => !urls.has(`${source.what} ${source.url}`))
        .map(([name]) => name),
      [],
    );
    const used = new Set(CLIENTS.map((client) => client.appearance));
    assert.deepEqual(
      Object.keys(appearances.appearances).filter((name) => !used.has(name)),
      [],
    );
  });

  it('has a dark client only beside its light one, on the same screen', () => {
    const dark = CLIENTS.filter((client) => client.colorScheme === 'dark');
    assert.ok(dark.length >= 25);
    for (const client of dark) {
      const light = findClient(client.id.replace(/_dm$/, ''));
      assert.ok(light && light.colorScheme === 'light', client.id);
      assert.deepEqual(light.viewport, client.viewport);
    }
    for (const client of CLIENTS)
      if (client.colorScheme === 'light') assert.equal(client.darkStrategy, 'none', client.id);
  });

  it('gives a base color to every strategy that needs one', () => {
    for (const client of CLIENTS)
      if (client.darkStrategy === 'partial' || client.darkStrategy === 'full')
        assert.match(client.darkBase, /^#[0-9a-f]{6}$/, client.id);
  });

  it('says that Word is emulated, that Thunderbird is real and that webmail runs in its engine', () => {
    assert.equal(findClient('ol2021')?.fidelity, 'emulated');
    assert.equal(findClient('thunderbird_dm')?.fidelity, 'real');
    assert.equal(findClient('gmail_chrome')?.fidelity, 'engine');
    assert.equal(findClient('outlook_ios')?.engine, 'webkit');
    assert.equal(findClient('gmail_firefox')?.engine, 'firefox');
  });

  it('can not be changed', () => {
    assert.throws(() => {
      (CLIENTS[0] as { id: string }).id = 'other';
    }, TypeError);
    assert.throws(() => {
      CLIENTS[0]!.plugins.push('other');
    }, TypeError);
  });
});

describe('expanding client rows', () => {
  it('makes a light and a dark profile of a row with dark', () => {
    const [light, dark] = expandClients([family]);
    assert.equal(light?.id, 'test_chrome');
    assert.equal(dark?.id, 'test_chrome_dm');
    assert.equal(dark?.displayName, 'Test, dark');
    assert.deepEqual(dark?.support, { family: 'gmail', platform: 'desktop-webmail', version: '' });
    assert.deepEqual(light?.viewport, { width: 800, height: 900, pixelRatio: 1 });
  });

  it('reads a version from the short form of support', () => {
    const [profile] = expandClients([
      { ...family, clients: [{ id: 'a', displayName: 'A', support: 'outlook.windows@2016' }] },
    ]);
    assert.deepEqual(profile?.support, { family: 'outlook', platform: 'windows', version: '2016' });
  });

  it("names the mailbox where it is not the vendor's own", () => {
    assert.equal(findClient('gmail_ios_imap')?.support?.account, 'other');
    assert.equal(findClient('gmail_ios')?.support?.account, undefined);
  });

  it('refuses unknown devices, sources, fields and values, naming the row', () => {
    const withRow = (row: object) => () =>
      expandClients([{ ...family, clients: [{ id: 'a', displayName: 'A', ...row }] }]);
    assert.throws(withRow({ device: 'toaster' }), /Test: a: device "toaster"/);
    assert.throws(withRow({ device: 'constructor' }), /device "constructor"/);
    assert.throws(withRow({ sources: ['hearsay'] }), /Test: a: source "hearsay"/);
    assert.throws(withRow({ color: 'red' }), /Test: a/);
    assert.throws(withRow({ engine: 'trident' }), /Test: a: \/engine/);
  });

  it('refuses two clients of one id', () => {
    assert.throws(() => expandClients([family, family]), /test_chrome/);
  });
});
