// An inbox refuses on purpose, so that a program shows what it does when a server refuses.
import type { Outside } from '../../../platform/feature/index.ts';
import { SmtpRefusal, type SmtpLogin } from '../../../platform/mail/index.ts';
import { TRIGGERS } from './contract.ts';
import { findChaos, type Chaos } from './store.ts';

type Trigger = (typeof TRIGGERS)[number];
type Login = Pick<SmtpLogin, 'accountId' | 'inboxId'>;
type Setting = { name: string; chaos: Chaos } | undefined;

/** What the triggers refuse, and the class of enhanced status codes that says so (RFC 3463). */
const REFUSED: Record<Trigger, { what: string; subject: number }> = {
  sender: { what: 'the sender', subject: 1 },
  recipient: { what: 'the recipient', subject: 1 },
  authentication: { what: 'the login', subject: 7 },
};

/** As somebody gives it. */
export type WantedChaos = Partial<Record<Trigger, { error_code: number; probability: number } | undefined>>;

/** As it is kept. */
export function readChaos(wanted: WantedChaos | null): Chaos {
  const chaos: Chaos = {};
  for (const name of TRIGGERS) {
    const given = wanted?.[name];
    if (given) chaos[name] = { errorCode: given.error_code, probability: given.probability };
  }
  return chaos;
}

/**
 * What inboxes refuse on purpose, of a listener whose logins are right; undefined where it goes on. What is set when a
 * message begins holds for all of its recipients. `random` answers from 0 to below 1.
 */
export function createChaos({ db }: Pick<Outside, 'db'>, random: () => number) {
  const ofMessage = new WeakMap<Login, Setting>();
  const settingOf = async ({ accountId, inboxId }: Login): Promise<Setting> =>
    inboxId === undefined ? undefined : findChaos(db, accountId, inboxId);
  const refuse = (trigger: Trigger, setting: Setting): SmtpRefusal | undefined => {
    const set = setting?.chaos[trigger];
    if (!setting || !set || random() * 100 >= set.probability) return undefined;
    const { errorCode, probability } = set;
    const { what, subject } = REFUSED[trigger];
    const text = `The chaos setting of the inbox "${setting.name}" refuses ${what} on purpose, in ${probability} % of cases`;
    return new SmtpRefusal(errorCode, `${String(errorCode)[0]}.${subject}.0 ${text}`, { isOnPurpose: true });
  };
  return {
    login: async (login: Login): Promise<SmtpRefusal | undefined> => refuse('authentication', await settingOf(login)),
    async sender(login: Login | undefined): Promise<SmtpRefusal | undefined> {
      if (!login) return undefined;
      const setting = await settingOf(login);
      ofMessage.set(login, setting);
      return refuse('sender', setting);
    },
    recipient: (login: Login | undefined): SmtpRefusal | undefined =>
      login && refuse('recipient', ofMessage.get(login)),
  };
}
