import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRouter } from '@tanstack/react-router';
import { PAGE_PATHS } from '../../page-paths.ts';
import { pages } from '../../pages.ts';
import { newTestAt, newThings, sectionAt, sectionsOf } from './sections.ts';
import { KEYS } from './shortcut-table.ts';

const router = createRouter({ routeTree: pages, context: undefined as never });
const sections = sectionsOf(Object.values(router.routesById));

describe('the navigation', () => {
  it('has the pages that declare a place in it, in their order', () => {
    assert.deepEqual(
      sections.map(({ name, pages: own }) => [name, ...own.map(({ to, label }) => `${label} ${to}`)]),
      [
        [
          'Proof',
          'Tests /previews',
          'Emails /emails',
          'Gate /gate',
          'Clients /clients',
          'Captures /captures',
          'Schedules /schedules',
        ],
        ['Content', 'Templates /templates', 'Mailing lists /lists', 'Validation /address-validation'],
        [
          'Send',
          'Messages /messages',
          'Queue /queue',
          'Held messages /held',
          'Sending rules /sending-rules',
          'Statistics /statistics',
          'Bounces /bounces',
          'Suppressions /suppressions',
          'Webhooks /webhooks',
          'Routes /routes',
          'Sandbox /sandbox',
        ],
        [
          'Deliver',
          'Spam /spam',
          'Placement /placement',
          'Mailboxes /mailboxes',
          'Domains /domains',
          'IPs and pools /ips',
          'IP warm-up /ip-warmups',
          'Dynamic pools /dynamic-pools',
        ],
        [
          'Monitor',
          'Overview /monitor',
          'Blocklists /blocklists',
          'Reputation /reputation',
          'Postmaster /postmaster',
          'Traps /traps',
          'DMARC /dmarc',
          'Alerts /alerts',
          'Thresholds /thresholds',
        ],
        [
          'Account',
          'Account /account',
          'Subaccounts /subaccounts',
          'Keys /keys',
          'Users /users',
          'IP allowlist /ip-allowlist',
          'Audit log /audit',
          'Your account /your-account',
          'Capture agents /capture-agents',
        ],
      ],
    );
  });

  const places: [string, string, string | undefined][] = [
    ['/previews', 'Proof', '/new'],
    ['/previews/1/links', 'Proof', '/new'],
    ['/keys', 'Account', undefined],
    ['/gate/1', 'Proof', '/gate/new'],
    ['/messages', 'Send', '/messages/new'],
    ['/queue', 'Send', '/messages/new'],
    ['/templates', 'Content', undefined],
    ['/spam', 'Deliver', '/spam/new'],
    ['/mailboxes', 'Deliver', '/spam/new'],
    ['/placement/lists', 'Deliver', '/placement/new'],
    ['/domains/example.com', 'Deliver', '/placement/new'],
    ['/gatex', 'Proof', '/new'],
  ];
  for (const [path, section, newTest] of places) {
    it(`knows at ${path} the section and where a new test begins`, () => {
      assert.deepEqual([sectionAt(sections, path).name, newTestAt(sections, path)?.to], [section, newTest]);
    });
  }

  it('has everything new that can be begun, each once, by a name of its own', () => {
    assert.deepEqual(
      newThings(sections).map(({ what, to }) => `${what} ${to}`),
      [
        'Preview test /new',
        'Email /emails/new',
        'Gate run /gate/new',
        'Test message /messages/new',
        'Spam test /spam/new',
        'Placement test /placement/new',
      ],
    );
  });

  it('leads to pages that are there', () => {
    const targets = sections.flatMap(({ pages: own }) => own.flatMap(({ newTest }) => (newTest ? [newTest.to] : [])));
    assert.deepEqual(
      targets.filter((to) => !Object.hasOwn(router.routesByPath, to)),
      [],
    );
  });

  it('gives a key to one page only, and none that has another meaning', () => {
    const keys = sections.flatMap(({ pages: own }) => own.flatMap(({ key }) => (key === undefined ? [] : [key])));
    assert.deepEqual(keys.toSorted(), ['g', 'p', 's', 't']);
    assert.deepEqual(
      keys.filter((key) => Object.hasOwn(KEYS, key)),
      [],
    );
  });
});

describe('the pages', () => {
  it('have their paths listed for the server, with names for what varies', () => {
    assert.ok(PAGE_PATHS.length > 30, `only ${PAGE_PATHS.length} paths`);
    const some = ['/', '/gate/$gateId/client/$clientId', '/previews/$testId', '/sign-in'];
    assert.deepEqual(
      some.filter((path) => !PAGE_PATHS.includes(path)),
      [],
    );
  });

  it('have a title each, where they are no frame for others', () => {
    const leaves = Object.values(router.routesById).filter(
      (route) => !route.children && route.fullPath !== '/' && !route.isRoot,
    );
    assert.ok(leaves.length > 30, `only ${leaves.length} pages were found`);
    assert.deepEqual(
      leaves.filter((route) => !route.options.staticData?.title).map((route) => route.id),
      [],
    );
  });
});
