// What was said at an attempt, as it is kept: without passwords and without the message, within bounds.
import type { Delivery as Report, Spoken, Talk } from '../../../platform/mail/index.ts';
import type { Connection, Conversation, Exchange } from './attempts-store.ts';

const CONNECTIONS_MAX = 8;
const EXCHANGES_MAX = 60;
/** Of all exchanges of an attempt. */
const CHARACTERS_MAX = 8000;
const SAID_MAX = 400;
const REPLY_MAX = 1200;
const END_MAX = 500;
const NAME_MAX = 255;

const VERBS = new Set(['', '.', 'EHLO', 'HELO', 'STARTTLS', 'MAIL', 'RCPT', 'DATA', 'RSET', 'NOOP', 'QUIT']);

/** Words of a stranger, without what no text has. */
function clean(text: string, lengthMax: number): string {
  const plain = text
    .slice(0, lengthMax)
    .toWellFormed()
    .replace(/(?!\n)\p{Cc}+/gu, ' ');
  return text.length > lengthMax ? `${plain} … (${text.length - lengthMax} characters left off)` : plain;
}

/** Of a login, no more than its mechanism. */
function saidOf(command: string): string {
  const [verb = '', mechanism = ''] = command.trim().split(/\s+/, 2);
  if (VERBS.has(verb.toUpperCase())) return clean(command.trim(), SAID_MAX);
  return verb.toUpperCase() === 'AUTH' ? `AUTH ${clean(mechanism, 40)} (left out)` : '(left out)';
}

function repliedOf({ code, enhancedCode, text }: NonNullable<Spoken['reply']>): string {
  const lines = text.split('\n');
  const status = enhancedCode === null ? '' : `${enhancedCode} `;
  const last = lines.length - 1;
  return lines.map((line, index) => `${code}${index < last ? '-' : ' '}${status}${line}`.trimEnd()).join('\n');
}

type Shown = (text: string) => string;

function exchangeOf({ command, saidMs, reply, heardMs }: Spoken, began: number, shown: Shown): Exchange {
  return {
    said: saidOf(command),
    reply: reply === undefined ? null : clean(shown(repliedOf(reply)), REPLY_MAX),
    afterMs: Math.round(saidMs - began),
    tookMs: heardMs === undefined ? null : Math.round(heardMs - saidMs),
  };
}

/** Keeps what was said last. */
function createBudget() {
  let exchanges = EXCHANGES_MAX;
  let characters = CHARACTERS_MAX;
  let leftOff = 0;
  return {
    get leftOff() {
      return leftOff;
    },
    /** For the last before the first. */
    keep(all: readonly Exchange[]): Exchange[] {
      const kept: Exchange[] = [];
      for (const one of all.toReversed()) {
        const length = one.said.length + (one.reply?.length ?? 0);
        if (leftOff > 0 || exchanges === 0 || length > characters) leftOff += 1;
        else {
          exchanges -= 1;
          characters -= length;
          kept.unshift(one);
        }
      }
      return kept;
    },
  };
}

/** The report's talks. `began`: of the attempt, in milliseconds of `performance.now()`. */
export function conversationOf(
  { talks = [], elapsedMs }: Report,
  { began, isRelayed, secrets }: { began: number; isRelayed: boolean; secrets: readonly string[] },
): Conversation {
  const budget = createBudget();
  const shown: Shown = (text) => secrets.reduce((all, secret) => all.replaceAll(secret, '(left out)'), text);
  const kept = talks.slice(-CONNECTIONS_MAX);
  const connections = kept.toReversed().map(({ host, address, localAddress, ...talk }: Talk): Connection => {
    const of = (spoken: readonly Spoken[]): Exchange[] =>
      budget.keep(spoken.map((one) => exchangeOf(one, began, shown)));
    const exchanges = of(talk.spoken);
    return {
      host: clean(host, NAME_MAX),
      address,
      localAddress: isRelayed ? null : (localAddress ?? null),
      connectMs: talk.connectMs === undefined ? null : Math.round(talk.connectMs),
      tls: talk.tls,
      isReused: talk.isReused,
      opening: of(talk.opening),
      exchanges,
      end: clean(shown(talk.end), END_MAX),
    };
  });
  return {
    tookMs: Math.round(elapsedMs),
    connections: connections.toReversed(),
    connectionsLeftOff: talks.length - kept.length,
    exchangesLeftOff: budget.leftOff,
  };
}
