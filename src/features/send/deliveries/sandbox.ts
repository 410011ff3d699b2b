// Recipients of the sandbox domain: what each makes of a message stands in its name, so that programs can be tried.
import type { Outcome } from './outcomes.ts';

const CLIENT = {
  'client-name': 'Galley sandbox',
  'client-os': 'unknown',
  'client-type': 'robot',
  'device-type': 'unknown',
  'user-agent': 'Galley sandbox',
  bot: '',
};
/** After this the one that was deferred takes the message. */
const DEFERRED_SECONDS = 60;

const accepted = { code: 250, 'enhanced-code': '2.0.0', message: 'OK', description: 'The sandbox took it.' };
const openings = {
  ip: '127.0.0.1',
  'client-info': CLIENT,
  geolocation: { city: 'Unknown', country: 'Unknown', region: 'Unknown' },
};

/** `550-5.1.1`, as it follows the plus sign. */
function replyIn(tag: string, first: '4' | '5'): { code: number; enhanced: string } | undefined {
  const [, code, enhanced] = /^([45]\d\d)(?:-([45]\.\d{1,3}\.\d{1,3}))?$/.exec(tag) ?? [];
  if (code === undefined || !code.startsWith(first) || (enhanced !== undefined && !enhanced.startsWith(first)))
    return undefined;
  return { code: Number(code), enhanced: enhanced ?? `${first}.0.0` };
}

type Answer = (tag: string, turn: { attempts: number; now: Date }) => Outcome;

const ANSWERS: Record<string, Answer> = {
  bounced: (tag) => {
    const { code, enhanced } = replyIn(tag, '5') ?? { code: 550, enhanced: '5.1.1' };
    const status = {
      code,
      'enhanced-code': enhanced,
      message: `${code} ${enhanced} The sandbox refuses it`,
      description: '',
    };
    return { end: 'failed', reason: 'bounce', status: { ...status, 'bounce-type': 'hard' } };
  },
  deferred: (tag, { attempts, now }) => {
    if (attempts > 1) return { end: 'delivered', status: accepted };
    const { code, enhanced } = replyIn(tag, '4') ?? { code: 421, enhanced: '4.7.0' };
    const status = {
      code,
      'enhanced-code': enhanced,
      message: `${code} ${enhanced} The sandbox says later`,
      description: '',
    };
    return { end: 'deferred', status, retryAt: new Date(now.getTime() + DEFERRED_SECONDS * 1000) };
  },
  complained: () => ({ end: 'delivered', status: accepted, followUps: [{ event: 'complained', about: {} }] }),
  unsubscribed: () => ({ end: 'delivered', status: accepted, followUps: [{ event: 'unsubscribed', about: openings }] }),
  opened: () => ({ end: 'delivered', status: accepted, followUps: [{ event: 'opened', about: openings }] }),
  suppressed: () => ({
    end: 'failed',
    reason: 'suppress-bounce',
    status: {
      code: 605,
      message: '',
      description: 'Not delivering to previously bounced address',
      'bounce-type': 'hard',
    },
  }),
};

/**
 * What a sandbox recipient makes of a message; undefined for a name that means nothing. `bounced+550-5.1.1@` says the
 * reply after the plus sign.
 */
export function sandboxOutcome(local: string, turn: { attempts: number; now: Date }): Outcome | undefined {
  const [name = '', ...rest] = local.toLowerCase().split('+');
  if (!Object.hasOwn(ANSWERS, name)) return undefined;
  return (ANSWERS[name] as Answer)(rest.join('+'), turn);
}
