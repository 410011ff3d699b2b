import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { byReadersLost, filterClients, groupByPicture } from './filter.ts';
import type { ProofClient } from './proof.ts';

function client(id: string, parts: Partial<ProofClient>): ProofClient {
  return {
    id,
    name: id,
    family: 'Gmail',
    place: '',
    device: 'web',
    scheme: 'light',
    status: 'completed',
    pictureId: id,
    look: parts.pictureId ?? id,
    result: { os: '' } as never,
    ...parts,
  };
}

const CLIENTS = [
  client('gmail_chrome', { name: 'Gmail (Chrome)', place: 'Chrome', pictureId: 'p1' }),
  client('gmail_edge', { name: 'Gmail (Edge)', place: 'Edge', pictureId: 'p1' }),
  client('ol2021_dm', {
    name: 'Outlook 2021, dark',
    family: 'Outlook',
    device: 'desktop',
    scheme: 'dark',
    pictureId: 'p2',
  }),
  client('gmail_ios', { name: 'Gmail app (iPhone)', device: 'mobile', status: 'processing', pictureId: undefined }),
];

function ids(clients: ProofClient[]): string[] {
  return clients.map((found) => found.id);
}

describe('filtered clients', () => {
  it('have every word of the search, in any field and case', () => {
    assert.deepEqual(ids(filterClients(CLIENTS, { q: 'DARK outlook' })), ['ol2021_dm']);
    assert.deepEqual(ids(filterClients(CLIENTS, { q: 'gmail dark' })), []);
  });

  it('fit family, device and scheme at once', () => {
    assert.deepEqual(ids(filterClients(CLIENTS, { family: ['Gmail'], device: 'web' })), ['gmail_chrome', 'gmail_edge']);
    assert.deepEqual(ids(filterClients(CLIENTS, { family: ['Gmail', 'Outlook'], scheme: 'dark' })), ['ol2021_dm']);
  });
});

describe('clients grouped by picture', () => {
  it('stand together where the picture is the same, the most common first, what is not made yet last', () => {
    assert.deepEqual(
      groupByPicture(CLIENTS.toReversed()).map(({ first, others }) => [first.id, ...ids(others)]),
      [['gmail_edge', 'gmail_chrome'], ['ol2021_dm'], ['gmail_ios']],
    );
  });
});

describe('clients with problems', () => {
  const measured = (id: string, severity: string | undefined, share: number | null) =>
    client(id, {
      result: {
        os: '',
        findings: severity ? [{ rule: 'x', severity, message: 'm' }] : [],
        audience_share: share,
      } as never,
    });
  const clients = [
    measured('clean', undefined, 40),
    measured('flawed', 'warning', 20),
    measured('unknown', 'error', null),
    measured('broken', 'error', 10),
  ];

  it('are shown alone where that is asked for', () => {
    assert.deepEqual(ids(filterClients(clients, { problems: true })), ['flawed', 'unknown', 'broken']);
  });

  it('come first by the readers whom their gravest problem concerns', () => {
    assert.deepEqual(ids(byReadersLost(clients)), ['broken', 'flawed', 'unknown', 'clean']);
  });
});
