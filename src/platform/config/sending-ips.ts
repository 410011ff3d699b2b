// The setting of the addresses that mail leaves from.
import { plainIp } from '../network/index.ts';
import type { Setting } from './settings.ts';

export interface ConfiguredIp {
  ip: string;
  /** The name that it greets with. */
  hostName: string;
  /** Every account may use it. */
  isShared: boolean;
}

const IPS_MAX = 256;
const ENTRY = /^([0-9a-f.:]+)=([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)(;shared)?$/i;

/** Undefined where an entry is none. */
function entriesOf(text: string): ConfiguredIp[] | undefined {
  const entries = text.split(',').map((part) => {
    const [, given = '', hostName = '', shared] = ENTRY.exec(part.trim()) ?? [];
    const ip = plainIp(given);
    return ip === undefined || !hostName.includes('.')
      ? undefined
      : { ip, hostName: hostName.toLowerCase(), isShared: shared !== undefined };
  });
  return entries.includes(undefined) ? undefined : (entries as ConfiguredIp[]);
}

function fault(text: string): string | undefined {
  const entries = entriesOf(text);
  if (!entries)
    return (
      'give address=host.name, joined by commas, such as 192.0.2.1=mail1.example.com,' +
      '192.0.2.2=mail2.example.com;shared.'
    );
  if (new Set(entries.map(({ ip }) => ip)).size < entries.length) return 'an address is named twice.';
  return entries.length > IPS_MAX ? `at most ${IPS_MAX} addresses are accepted.` : undefined;
}

export const SENDING_IP_SETTINGS: readonly Setting[] = [
  {
    name: 'GALLEY_SENDING_IPS',
    default: '',
    about:
      'Addresses of this machine that mail leaves from, `192.0.2.1=mail1.example.com`, joined by commas: the address ' +
      'and the name that it greets with, to which its reverse DNS has to point and which has to point back. They ' +
      'belong to the first account; with `;shared` behind the name, every account sends from it. A process that ' +
      'has the role `send` uses those that it can bind. Unset: the system chooses the address. Not together with ' +
      '`GALLEY_SMTP_RELAY`, which chooses it then.',
    check: fault,
  },
];

export const readSendingIps = (text: string | undefined): readonly ConfiguredIp[] =>
  text === undefined ? [] : (entriesOf(text) ?? []);
