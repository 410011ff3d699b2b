// The distinct documents behind a preview test.
import type { Galley } from '../src/app/serve.ts';
import { collectAssets } from '../src/features/proof/_message/index.ts';
import { prepareMessage, profileOf, shotNames, shotRequest } from '../src/features/proof/previews/index.ts';
import type { RenderRequest } from '../src/platform/browser/index.ts';

export interface Distinct {
  requests: RenderRequest[];
  shots: number;
}

/** The distinct documents that a test of these clients renders. */
export async function distinctDocuments(galley: Galley, html: string, clientIds: readonly string[]): Promise<Distinct> {
  const loaded = {
    html,
    subject: 'The spring list',
    headers: {},
    baseUrl: undefined,
    inline: new Map(),
    raw: undefined,
  };
  const assets = await collectAssets(galley.outside, loaded, AbortSignal.timeout(60_000));
  const prepared = await prepareMessage(galley.outside, loaded, assets);
  const byKey = new Map<string, RenderRequest>();
  let shots = 0;
  for (const profile of clientIds.map(profileOf)) {
    for (const shot of shotNames({ imageBlocking: false }, profile)) {
      const parts = { scope: 'bare', prepared, profile, shot, raw: undefined };
      const { key, request } = await shotRequest(galley.outside, parts);
      byKey.set(key, request);
      shots += 1;
    }
  }
  return { requests: [...byKey.values()], shots };
}
