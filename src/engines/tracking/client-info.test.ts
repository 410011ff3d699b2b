// Who loads an image or follows a link, by the user agents that programs send.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import table from '../../../data/mail-agents/agents.json' with { type: 'json' };
import { clientInfoOf } from './index.ts';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const agents: [agent: string, bot: string, type: string, device: string][] = [
  ['', 'scanner', 'robot', 'unknown'],
  ['Mozilla/5.0', 'apple', 'robot', 'unknown'],
  [
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'gmail',
    'robot',
    'unknown',
  ],
  ['YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html', 'yahoo', 'robot', 'unknown'],
  ['Mozilla/5.0 (Windows NT 10.0) OutlookImageProxy', 'outlook', 'robot', 'unknown'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'scanner', 'robot', 'unknown'],
  ['BarracudaCentral', 'scanner', 'robot', 'unknown'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/130.0 Safari/537.36',
    'scanner',
    'robot',
    'unknown',
  ],
  ['python-requests/2.32', 'scanner', 'robot', 'unknown'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${WEBKIT} Version/18.1 Mobile/15E148 Safari/604.1`,
    '',
    'mobile browser',
    'mobile',
  ],
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${WEBKIT} Mobile/15E148`, '', 'email client', 'mobile'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT}`, '', 'email client', 'desktop'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Thunderbird/132.0',
    '',
    'email client',
    'desktop',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; SM-X710) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36',
    '',
    'mobile browser',
    'tablet',
  ],
  ['Something/1.0', '', 'unknown', 'unknown'],
];

describe('clientInfoOf', () => {
  for (const [agent, bot, type, device] of agents)
    it(`reads ${agent.slice(0, 60) || 'no user agent'}`, () => {
      const info = clientInfoOf(agent);
      assert.deepEqual([info.bot, info['client-type'], info['device-type']], [bot, type, device]);
    });

  it('has a sample of every row of the table that names somebody', () => {
    const first = (agent: string) => table.agents.findIndex(({ pattern }) => new RegExp(pattern, 'i').test(agent));
    const seen = new Set(agents.map(([agent]) => first(agent)));
    assert.deepEqual(
      table.agents.filter((_, place) => !seen.has(place)),
      [],
    );
  });
});
