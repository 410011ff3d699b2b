// Routes take what comes in for the domains of their account, where one of them is about it.
import { SmtpRefusal } from '../../../platform/mail/index.ts';
import type { InboundTaker } from '../_inbound/index.ts';
import { applyRoutes, couldAnyMatch } from './computations.ts';
import { apply } from './jobs.ts';
import { listRoutes } from './store.ts';

export const routedMail: InboundTaker = {
  name: 'routes',
  order: 100,
  async takes({ db, compute }, { accountId, recipient }) {
    const expressions = (await listRoutes(db, accountId)).map(({ expression }) => expression);
    if (expressions.length === 0) return false;
    return compute.run(couldAnyMatch, { expressions, recipient }, { urgency: 'answer' });
  },
  async refuses({ db, compute }, { accountId, recipients, raw }) {
    const routes = (await listRoutes(db, accountId)).map(({ id, expression }) => ({ id, expression, actions: [] }));
    const { taken } = await compute.run(applyRoutes, { raw, routes, recipients }, { urgency: 'answer' });
    return taken.length > 0 ? undefined : new SmtpRefusal(550, '5.7.1 No route takes this message');
  },
  async take({ jobs }, tx, { id, accountId, recipients }) {
    const payloads = [{ messageId: id, recipients: [...recipients] }];
    await jobs.enqueue(tx, apply, { payloads, account: accountId });
  },
};
