import { endpoint } from '../../../platform/feature/index.ts';
import { changeTracking, clicksOf, flagOf, footerOf, getTracking } from './actions.ts';
import * as contracts from './contract.ts';
import { clickView, openView, unsubscribeView } from './view.ts';

const message = 'Domain tracking settings have been updated';

export const endpoints = [
  endpoint(contracts.getTracking, async (ctx, { params }) => {
    const { settings, webScheme } = await getTracking(ctx, ctx.principal.accountId, params.name);
    return {
      tracking: {
        open: openView(settings),
        click: clickView(settings),
        unsubscribe: unsubscribeView(settings),
        web_scheme: webScheme,
      },
    };
  }),
  endpoint(contracts.putClick, async (ctx, { params: { name }, body }) => {
    const change = { clicks: clicksOf('active', body.active) };
    return { message, click: clickView(await changeTracking(ctx, ctx.principal.accountId, { name, change })) };
  }),
  endpoint(contracts.putOpen, async (ctx, { params: { name }, body }) => {
    const change = {
      opens: flagOf('active', body.active),
      isPixelAtTop: flagOf('place_at_the_top', body.place_at_the_top),
    };
    return { message, open: openView(await changeTracking(ctx, ctx.principal.accountId, { name, change })) };
  }),
  endpoint(contracts.putUnsubscribe, async (ctx, { params: { name }, body }) => {
    const change = {
      unsubscribes: flagOf('active', body.active),
      htmlFooter: footerOf('html_footer', body.html_footer),
      textFooter: footerOf('text_footer', body.text_footer),
    };
    const changed = await changeTracking(ctx, ctx.principal.accountId, { name, change });
    return { message, unsubscribe: unsubscribeView(changed) };
  }),
];
