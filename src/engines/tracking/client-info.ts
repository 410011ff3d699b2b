// What a program says of itself when it loads an image or follows a link, by the names that it sends.
import table from '../../../data/mail-agents/agents.json' with { type: 'json' };

export interface ClientInfo {
  'client-name': string;
  'client-os': string;
  'client-type': 'browser' | 'mobile browser' | 'email client' | 'robot' | 'unknown';
  'device-type': 'desktop' | 'mobile' | 'tablet' | 'unknown';
  'user-agent': string;
  /** Empty: nothing says that no person was there. */
  bot: '' | 'apple' | 'gmail' | 'yahoo' | 'outlook' | 'scanner';
}

const AGENT_LENGTH_MAX = 500;

/** Of programs that load what a message shows, or follow its links, for a mailbox or its guard. */
const BOTS = table.agents.map(({ bot, pattern }) => [bot as ClientInfo['bot'], new RegExp(pattern, 'i')] as const);
const PEOPLE: readonly [string, ClientInfo['client-type'], RegExp][] = [
  ['Thunderbird', 'email client', /Thunderbird\//],
  ['Microsoft Outlook', 'email client', /Microsoft Outlook|MSOffice|ms-office/i],
  ['Apple Mail', 'email client', /AppleWebKit\/[\d.]+ \(KHTML, like Gecko\)(?: Mobile\/\w+)?$/],
  ['Edge', 'browser', /Edg(?:e|A|iOS)?\//],
  ['Opera', 'browser', /OPR\/|Opera/],
  ['Samsung Internet', 'browser', /SamsungBrowser\//],
  ['Firefox', 'browser', /Firefox\/|FxiOS\//],
  ['Chrome', 'browser', /Chrome\/|CriOS\//],
  ['Safari', 'browser', /Version\/[\d.]+.* Safari\//],
  ['Internet Explorer', 'browser', /MSIE |Trident\//],
];
const SYSTEMS: readonly [string, RegExp][] = [
  ['iOS', /iPhone|iPad|iPod/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh|Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
];

function deviceOf(agent: string, system: string | undefined): ClientInfo['device-type'] {
  if (/iPad|Tablet/.test(agent) || (system === 'Android' && !/Mobile/.test(agent))) return 'tablet';
  if (system === 'iOS' || system === 'Android') return 'mobile';
  return system === undefined ? 'unknown' : 'desktop';
}

/** What a user agent says; without one, no person was there. What it does not say is `unknown`. */
export function clientInfoOf(userAgent: string): ClientInfo {
  const agent = userAgent.replaceAll(/[^\x20-\x7e]/g, '').slice(0, AGENT_LENGTH_MAX);
  const bot = agent === '' ? 'scanner' : BOTS.find(([, pattern]) => pattern.test(agent))?.[0];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(agent))?.[0];
  const base = { 'client-os': system ?? 'unknown', 'user-agent': agent };
  if (bot) return { ...base, 'client-name': 'unknown', 'client-type': 'robot', 'device-type': 'unknown', bot };
  const [name, type] = PEOPLE.find(([, , pattern]) => pattern.test(agent)) ?? ['unknown', 'unknown' as const];
  const device = deviceOf(agent, system);
  return {
    ...base,
    'client-name': name,
    'client-type': type === 'browser' && device !== 'desktop' ? 'mobile browser' : type,
    'device-type': device,
    bot: '',
  };
}
