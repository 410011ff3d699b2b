import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRouter } from '@tanstack/react-router';
import { PAGE_PATHS } from '../../page-paths.ts';
import { pages } from '../../pages.ts';
import { crumbsOf, newTestAt, newThings, sectionAt, sectionsOf } from './sections.ts';
import { KEYS } from './shortcut-table.ts';

const router = createRouter({ routeTree: pages, context: undefined as never });
const sections = sectionsOf(Object.values(router.routesById));

describe('the navigation', () => {
  it('has the pages that declare a place in it, in their order', () => {
    assert.deepEqual(
      sections.map(({ name, pages: own }) => [name, ...own.map(({ to, label }) => `${label} ${to}`)]),
      [
        ['Start', 'Home /', 'Emails /emails', 'Sandbox /sandbox'],
        [
          'Proof',
          'Tests /previews',
          'Gate /gate',
          'Spam /spam',
          'Placement /placement',
          'Clients /clients',
          'Captures /captures',
          'Seed mailboxes /mailboxes',
        ],
        [
          'Send',
          'Messages /messages',
          'Queue /queue',
          'Held messages /held',
          'Sending rules /sending-rules',
          'Statistics /statistics',
          'Bounces /bounces',
          'Suppressions /suppressions',
        ],
        ['Content', 'Templates /templates', 'Mailing lists /lists', 'Validation /address-validation'],
        [
          'Domains and IPs',
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
        ['Automate', 'Schedules /schedules', 'Webhooks /webhooks', 'Routes /routes'],
        [
          'Settings',
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
    ['/', 'Start', '/new'],
    ['/new', 'Proof', '/new'],
    ['/keys', 'Settings', undefined],
    ['/gate/1', 'Proof', '/gate/new'],
    ['/messages', 'Send', '/messages/new'],
    ['/queue', 'Send', '/messages/new'],
    ['/templates', 'Content', undefined],
    ['/spam', 'Proof', '/spam/new'],
    ['/mailboxes', 'Proof', '/new'],
    ['/placement/lists', 'Proof', '/placement/new'],
    ['/domains/example.com', 'Domains and IPs', '/placement/new'],
    ['/gatex', 'Start', '/new'],
  ];
  for (const [path, section, newTest] of places) {
    it(`knows at ${path} the section and where a new test begins`, () => {
      assert.deepEqual([sectionAt(sections, path).name, newTestAt(sections, path)?.to], [section, newTest]);
    });
  }

  const ways: [string, ...string[]][] = [
    ['/'],
    ['/previews'],
    ['/new', 'Tests /previews'],
    ['/previews/1', 'Tests /previews'],
    ['/previews/1/client/2/evidence', 'Tests /previews', 'Test /previews/1', 'Client /previews/1/client/2'],
    ['/domains/example.com', 'Sending domains /domains'],
    ['/domains/a.example/tracking', 'Sending domains /domains', 'a.example /domains/a.example'],
    ['/templates/welcome/compare', 'Templates /templates', 'welcome /templates/welcome'],
    ['/messages/example.com/key', 'Messages /messages'],
    ['/alerts/slack', 'Alerts /alerts'],
    ['/nowhere/at/all'],
  ];
  for (const [path, ...crumbs] of ways) {
    it(`knows the way down to ${path}`, () => {
      const at = (pathname: string) =>
        router
          .matchRoutes({ pathname, search: {}, searchStr: '', hash: '', href: pathname, state: {} } as never)
          .at(-1);
      assert.deepEqual(
        crumbsOf(sections, path, at).map(({ name, to }) => `${name} ${to}`),
        crumbs,
      );
    });
  }

  it('has everything new that can be begun, each once, by a name of its own', () => {
    assert.deepEqual(
      newThings(sections).map(({ what, to }) => `${what} ${to}`),
      [
        'Email /emails/new',
        'Preview test /new',
        'Gate run /gate/new',
        'Spam test /spam/new',
        'Test message /messages/new',
        'Placement test /placement/new',
      ],
    );
  });

  it('asks each page once for what needs somebody, in an order that no two share', () => {
    const needs = Object.values(router.routesById).flatMap((route) => route.options.staticData?.needs ?? []);
    assert.ok(needs.length >= 9, `only ${needs.length} pages say what needs somebody`);
    assert.equal(new Set(needs.map(({ of }) => of)).size, needs.length);
    assert.equal(new Set(needs.map(({ order }) => order)).size, needs.length);
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
    assert.deepEqual(keys.toSorted(), ['g', 'h', 'p', 's', 't']);
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
