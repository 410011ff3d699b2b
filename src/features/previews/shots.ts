// From a prepared message to the distinct pictures that its clients need.
import { createHash } from 'node:crypto';
import type { ClientProfile } from '../../engines/client-emulation/index.ts';
import type { RenderRequest } from '../../platform/browser/index.ts';
import type { Outside } from '../../platform/feature/index.ts';
import type { Prepared } from './message.ts';

export interface ShotRequest {
  /** Equal keys make equal pictures. */
  key: string;
  engine: ClientProfile['engine'];
  request: RenderRequest;
  notes: string[];
}

export interface ShotParts {
  /** Renders of one scope may share a browser context. */
  scope: string;
  prepared: Prepared;
  profile: ClientProfile;
  /** `default`, `no_images` or `horizontal`. */
  shot: string;
  /** The raw message, where the engine is a mail client. */
  raw: Buffer | undefined;
}

/** The device on its side: what a client does can depend on the width. */
function turned(profile: ClientProfile): ClientProfile {
  const { width, height, pixelRatio } = profile.viewport;
  return { ...profile, viewport: { width: height, height: width, pixelRatio } };
}

/** What to render for one screenshot of one client. */
export function shotRequest(outside: Pick<Outside, 'browser' | 'config'>, { scope, prepared, profile: upright, shot, raw }: ShotParts): ShotRequest {
  const profile = shot === 'horizontal' ? turned(upright) : upright;
  const images = shot !== 'no_images';
  const renderer = outside.browser.pick(profile.engine, profile.colorScheme);
  const { html, notes, forceDark } = prepared.emulated(profile, images);
  const { width, height, pixelRatio } = profile.viewport;
  const look = { width, height, pixelRatio, colorScheme: profile.colorScheme, forceDark, heightMax: outside.config.render.heightMax };
  const isMailClient = renderer.engine === 'thunderbird';
  const content = isMailClient ? `${prepared.html} ${images}` : html;
  const key = createHash('sha256').update(JSON.stringify([renderer.engine, renderer.version, look, prepared.assetsDigest, content])).digest('hex').slice(0, 40);
  return {
    key,
    engine: renderer.engine,
    notes: isMailClient ? [] : notes,
    request: {
      ...look,
      html,
      ...(prepared.documentUrl !== undefined && { documentUrl: prepared.documentUrl }),
      scope,
      assetsKey: `${prepared.assetsDigest} ${images}`,
      fitWidth: profile.category === 'Mobile',
      assets: async (url) => {
        const asset = prepared.assets.get(url.split('#', 1)[0] as string);
        return images || !asset?.contentType.startsWith('image/') ? asset : undefined;
      },
      ...(isMailClient && raw && { message: { raw, images } }),
    },
  };
}
