import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EmailClient } from '../../ground/api.ts';
import { choiceOf, chosenIds, families } from './client-choice.ts';

function client(id: string, parts: Partial<EmailClient>): EmailClient {
  return {
    id,
    display_name: id,
    family: 'Gmail',
    os: '',
    browser: '',
    category: 'Web',
    color_scheme: 'light',
    default: false,
    ...parts,
  } as EmailClient;
}

const CLIENTS = Object.fromEntries(
  [
    client('gmail_chrome', { default: true, browser: 'Chrome' }),
    client('ol2021', { family: 'Outlook', category: 'Application', default: true }),
    client('ol2021_dm', { family: 'Outlook', category: 'Application', color_scheme: 'dark' }),
  ].map((entry) => [entry.id, entry]),
);

describe('a choice of clients', () => {
  it('that equals a preset is that preset', () => {
    assert.deepEqual(choiceOf(CLIENTS, ['ol2021', 'gmail_chrome']), { preset: 'default', ids: [] });
    assert.deepEqual(choiceOf(CLIENTS, ['ol2021_dm']), { preset: 'dark', ids: [] });
    assert.deepEqual(choiceOf(CLIENTS, ['gmail_chrome', 'ol2021_dm']), {
      preset: 'custom',
      ids: ['gmail_chrome', 'ol2021_dm'],
    });
  });

  it('drops remembered clients that the catalog no longer has', () => {
    assert.deepEqual(chosenIds(CLIENTS, { preset: 'custom', ids: ['gmail_chrome', 'lotus_notes'] }), ['gmail_chrome']);
  });

  it('lists families by use, with the members that the search leaves', () => {
    assert.deepEqual(
      families(CLIENTS, '').map(({ name, members }) => [name, members.length]),
      [
        ['Gmail', 1],
        ['Outlook', 2],
      ],
    );
    assert.deepEqual(
      families(CLIENTS, 'ol2021 DM').map(({ members }) => members.map(({ id }) => id)),
      [['ol2021_dm']],
    );
  });
});
