import { endpoint } from '../../../platform/feature/index.ts';
import { HttpReply } from '../../../platform/http/index.ts';
import { cookie, tokenIn } from '../sessions/index.ts';
import { beginSignIn, finishSignIn } from './actions.ts';
import * as contracts from './contract.ts';

export const endpoints = [
  endpoint(contracts.startSingleSignOn, async (ctx, { body }) => {
    const { url, headers } = await beginSignIn(ctx, body.from);
    return new HttpReply({ url }, headers);
  }),
  endpoint(contracts.createSessionBySingleSignOn, async (ctx, { body }) => {
    const { session, from } = await finishSignIn(ctx, { answer: body.answer, oldToken: tokenIn(ctx.headers) });
    return new HttpReply({ signed_in: true, from }, cookie(session.token, ctx, session.seconds));
  }),
];
