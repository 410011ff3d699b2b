// Pictures of an email in the chosen clients, and what differs from the approved ones.
import type { Comparison, Policy } from '../../../engines/gate/index.ts';
import { rendersOfMessage, type Rendering } from '../../../platform/browser/index.ts';
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { bufferOf, collectAssets, loadMime, type LoadedSource, type StoredSource } from '../_message/index.ts';
import type { ImageFile } from '../_inspections/index.ts';
import { prepareMessage, profileOf, shotRequest } from '../previews/index.ts';
import { comparePngs } from './computations.ts';
import type { PictureName } from './contract.ts';

interface BaselineFile {
  png: Buffer;
  /** `Chromium 153.0.7650.0`; unknown for a file that came from elsewhere. */
  engine?: string | undefined;
}

/** Where the approved screenshots are read, and where new ones are written. */
export interface PictureDoors {
  baselineOf(clientId: string): Promise<BaselineFile | undefined>;
  save(clientId: string, which: PictureName, picture: { png: Buffer; engine: string }): Promise<void>;
  /** Where the message is shown later with what it showed now. */
  keepImages?(files: readonly ImageFile[]): Promise<void>;
}

interface ScreenshotOrder {
  source: StoredSource;
  subject: string;
  clients: readonly string[];
  policy: Policy['screenshots'];
}

interface Turn {
  scope: string;
  signal: AbortSignal;
  doors: PictureDoors;
}

/** CSS pixels: three pictures of a phone's density are in memory at once. */
const HEIGHT_MAX = 8_000;

async function loadedFrom(
  { compute }: Pick<Outside, 'compute'>,
  { kind, url, body }: StoredSource,
  subject: string,
): Promise<LoadedSource> {
  const bytes = bufferOf(body);
  if (kind === 'mime') return loadMime(compute, bytes);
  return {
    html: bytes.toString('utf8'),
    subject,
    headers: {},
    baseUrl: url ?? undefined,
    inline: new Map(),
    raw: undefined,
  };
}

async function compare(
  client: { id: string; name: string },
  rendering: Rendering,
  { policy, doors, compute }: { policy: Policy['screenshots']; doors: PictureDoors; compute: Outside['compute'] },
): Promise<Comparison> {
  const { png, width, engine } = rendering;
  const about = {
    client: client.id,
    name: client.name,
    engine: engine.version,
    width,
    bands: [],
    ...(rendering.isCut && { isCut: true }),
  };
  await doors.save(client.id, 'current', { png, engine: engine.version });
  const baseline = await doors.baselineOf(client.id);
  if (!baseline) return { ...about, outcome: 'no_baseline', difference: null };
  const compared = { ...about, ...(baseline.engine !== undefined && { baselineEngine: baseline.engine }) };
  if (baseline.png.equals(png)) return { ...compared, outcome: 'unchanged', difference: 0 };
  const { share, bands, picture } = await compute.run(comparePngs, {
    before: baseline.png,
    after: png,
    threshold: policy.threshold,
  });
  if (share <= policy.differenceMax) return { ...compared, outcome: 'unchanged', difference: share };
  await doors.save(client.id, 'baseline', { png: baseline.png, engine: baseline.engine ?? '' });
  if (picture) await doors.save(client.id, 'difference', { png: Buffer.from(picture), engine: engine.version });
  return { ...compared, outcome: 'changed', difference: share, bands };
}

/** One comparison for each client, in their order. A picture that cannot be made is one of the outcomes. */
export async function compareScreenshots(
  outside: Pick<Outside, 'config' | 'fetch' | 'browser' | 'compute'>,
  { source, subject, clients, policy }: ScreenshotOrder,
  { scope, signal, doors }: Turn,
): Promise<Comparison[]> {
  const loaded = await loadedFrom(outside, source, subject);
  const prepared = await prepareMessage(outside, loaded, await collectAssets(outside, loaded, signal));
  const { config, browser } = outside;
  const shortened = {
    browser,
    config: { ...config, render: { ...config.render, heightMax: Math.min(config.render.heightMax, HEIGHT_MAX) } },
  };
  const known = new Map<string, Promise<Rendering>>();
  const render = rendersOfMessage(browser);
  await prepared.emulations.plan(
    clients.map((clientId) => ({ profile: profileOf(clientId), images: true })),
    signal,
  );
  const one = async (clientId: string): Promise<Comparison> => {
    const profile = profileOf(clientId);
    const client = { id: clientId, name: profile.displayName };
    try {
      const raw = profile.engine === 'thunderbird' ? await prepared.raw() : undefined;
      const { key, engine, request } = await shotRequest(shortened, {
        scope,
        prepared,
        profile,
        shot: 'default',
        raw,
        signal,
      });
      const rendering = known.get(key) ?? render(engine, request, signal);
      known.set(key, rendering);
      return await compare(client, await rendering, { policy, doors, compute: outside.compute });
    } catch (error) {
      signal.throwIfAborted();
      return {
        client: clientId,
        name: client.name,
        outcome: 'not_made',
        difference: null,
        bands: [],
        error: messageOf(error),
      };
    }
  };
  const found = new Map<string, Comparison>();
  const waiting = clients.values();
  const lane = async (): Promise<void> => {
    for (const clientId of waiting) found.set(clientId, await one(clientId));
  };
  await Promise.all(Array.from({ length: config.render.browsers }, lane));
  return clients.flatMap((clientId) => found.get(clientId) ?? []);
}
