// A message of this machine made ready to be drawn: with the pictures that it shows, from its folder and from the network.
import type { Asset } from '../../../platform/browser/index.ts';
import { computeHere } from '../../../platform/compute/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { collectAssets } from '../../../features/proof/_message/index.ts';
import { prepareMessage } from '../../../features/proof/previews/index.ts';
import type { LocalSource } from '../local-source.ts';

const ASSETS_MS = 60_000;

interface Ready {
  prepared: Awaited<ReturnType<typeof prepareMessage>>;
  /** By address. */
  assets: ReadonlyMap<string, Asset>;
}

/** Pictures that do not come within a minute are missing in it, as they would be for a reader. */
export async function prepareSource(
  { fetch, config }: Pick<Outside, 'fetch' | 'config'>,
  { loaded, inFolder }: LocalSource,
  signal: AbortSignal,
): Promise<Ready> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(ASSETS_MS)]);
  const assets = new Map<string, Asset>([
    ...(await collectAssets({ fetch, compute: computeHere }, loaded, within)),
    ...(await inFolder()),
  ]);
  return { prepared: await prepareMessage({ compute: computeHere, config }, loaded, assets), assets };
}
