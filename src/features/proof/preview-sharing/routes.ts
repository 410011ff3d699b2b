import { endpoint } from '../../../platform/feature/index.ts';
import { plainTime, unixSeconds } from '../../../platform/times/index.ts';
import { pictureReply, resultsOf, V2_WORDS } from '../previews/index.ts';
import { enableShare, getShare, openShare, removeShare, rotateShare, startShare } from './actions.ts';
import * as contracts from './contract.ts';
import type { PreviewShare } from './store.ts';

/** The address of the page for readers. */
export function shareUrl(baseUrl: string, { uuid }: Pick<PreviewShare, 'uuid'>): string {
  return `${baseUrl}/share/${uuid}`;
}

function view(share: PreviewShare, baseUrl: string) {
  const url = shareUrl(baseUrl, share);
  return {
    test_id: share.testId,
    uuid: share.uuid,
    url_uuid: share.uuid,
    url,
    share_url: url,
    enabled: share.isEnabled,
    expires_at: `${plainTime(share.expiresAt)}Z`,
    expiration: unixSeconds(share.expiresAt),
  };
}

export const endpoints = [
  endpoint(contracts.createShare, async (ctx, { body }) => ({
    message: 'The share link was created.',
    ...view(await startShare(ctx, body.test_id), ctx.baseUrl),
  })),
  endpoint(contracts.getPublicShare, async (ctx, { params }) => {
    const { share, test } = await openShare(ctx, params.id);
    const results = await resultsOf(ctx, {
      test,
      filesUrl: `${ctx.baseUrl}/files/shares/${share.uuid}`,
      words: V2_WORDS,
    });
    return {
      subject: test.subject,
      date: unixSeconds(test.createdAt),
      results: Object.values(results),
      ...view(share, ctx.baseUrl),
    };
  }),
  endpoint(contracts.getSharedFile, async (ctx, { params, query }) => {
    const { test } = await openShare(ctx, params.uuid);
    return pictureReply(ctx, {
      test,
      clientId: params.client_id,
      file: params.file,
      isDownload: query.download !== undefined,
      width: query.width,
    });
  }),
  endpoint(contracts.getShare, async (ctx, { params }) => view(await getShare(ctx, params.test_id), ctx.baseUrl)),
  endpoint(contracts.updateShare, async (ctx, { params, query, body }) => {
    const isEnabled = body.enabled ?? query.enabled;
    const share = await enableShare(ctx, {
      testId: params.test_id,
      ...(query.url_uuid !== undefined && { uuid: query.url_uuid }),
      ...(isEnabled !== undefined && { isEnabled }),
    });
    return { message: `The share link is ${share.isEnabled ? 'enabled' : 'disabled'}.`, ...view(share, ctx.baseUrl) };
  }),
  endpoint(contracts.deleteShare, async (ctx, { params, query }) => {
    await removeShare(ctx, params.test_id, query.url_uuid);
    return { message: 'The share was deleted.' };
  }),
  endpoint(contracts.rotateShare, async (ctx, { params, query }) =>
    view(await rotateShare(ctx, params.test_id, query.url_uuid), ctx.baseUrl),
  ),
];
