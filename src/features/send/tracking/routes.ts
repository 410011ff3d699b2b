import { endpoint } from '../../../platform/feature/index.ts';
import { changeHost, changeTracking, clicksOf, flagOf, footerOf, getTracking } from './actions.ts';
import * as contracts from './contract.ts';
import { clickView, linksView, openView, unsubscribeView } from './view.ts';

const message = 'Domain tracking settings have been updated';

export const endpoints = [
  endpoint(contracts.getTracking, async (ctx, { params }) => {
    const { settings, domain, notes } = await getTracking(ctx, ctx.principal.accountId, params.name);
    return {
      tracking: {
        open: openView(settings),
        click: clickView(settings),
        unsubscribe: unsubscribeView(settings),
        web_scheme: domain.settings.webScheme,
        links: await linksView(ctx, domain),
        notes,
      },
    };
  }),
  endpoint(contracts.putClick, async (ctx, { params: { name }, body }) => {
    const change = { clicks: clicksOf('active', body.active) };
    const { settings, notes } = await changeTracking(ctx, ctx.principal.accountId, { name, change });
    return { message, click: clickView(settings), notes };
  }),
  endpoint(contracts.putOpen, async (ctx, { params: { name }, body }) => {
    const change = {
      opens: flagOf('active', body.active),
      isPixelAtTop: flagOf('place_at_the_top', body.place_at_the_top),
    };
    const { settings, notes } = await changeTracking(ctx, ctx.principal.accountId, { name, change });
    return { message, open: openView(settings), notes };
  }),
  endpoint(contracts.putWebPrefix, async (ctx, { params: { name }, query, body }) => {
    const domain = await changeHost(ctx, ctx.principal.accountId, {
      name,
      prefix: query.web_prefix ?? body?.web_prefix,
      scheme: query.web_scheme ?? body?.web_scheme,
    });
    const { webPrefix, webScheme } = domain.settings;
    return {
      message: 'Domain web prefix updated',
      web_prefix: webPrefix,
      web_scheme: webScheme,
      links: await linksView(ctx, domain),
    };
  }),
  endpoint(contracts.putUnsubscribe, async (ctx, { params: { name }, body }) => {
    const change = {
      unsubscribes: flagOf('active', body.active),
      htmlFooter: footerOf('html_footer', body.html_footer),
      textFooter: footerOf('text_footer', body.text_footer),
    };
    const { settings, notes } = await changeTracking(ctx, ctx.principal.accountId, { name, change });
    return { message, unsubscribe: unsubscribeView(settings), notes };
  }),
];
