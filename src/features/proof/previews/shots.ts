// Finds the distinct pictures that the clients of a prepared message need.
import { createHash } from 'node:crypto';
import type { ClientProfile } from '../../../engines/client-emulation/index.ts';
import type { PictureFacts } from '../../../engines/picture-faults/index.ts';
import { doctypeOf, type RenderRequest } from '../../../platform/browser/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { Wanted } from './emulations.ts';
import type { Prepared } from './message.ts';

export interface ShotRequest {
  /** Equal keys make equal pictures. */
  key: string;
  engine: ClientProfile['engine'];
  request: RenderRequest;
  notes: string[];
  /** What is known of the picture beside what is measured in it. */
  facts: Omit<PictureFacts, 'layout'>;
}

interface ShotParts {
  /** Renders of one scope may share a browser context. */
  scope: string;
  prepared: Prepared;
  profile: ClientProfile;
  /** `default`, `no_images` or `horizontal`. */
  shot: string;
  /** The raw message, where the engine is a mail client. */
  raw: Buffer | undefined;
  signal?: AbortSignal | undefined;
}

type ShotDoors = Pick<Outside, 'browser' | 'config'>;

/** The device on its side: what a client does can depend on the width. */
function turned(profile: ClientProfile): ClientProfile {
  const { width, height, pixelRatio } = profile.viewport;
  return { ...profile, viewport: { width: height, height: width, pixelRatio } };
}

export interface Planned {
  profile: ClientProfile;
  images: boolean;
  look: Pick<RenderRequest, 'width' | 'height' | 'pixelRatio' | 'colorScheme' | 'forceDark' | 'heightMax'>;
  engine: ClientProfile['engine'];
  /** As far as it is known before the document is drawn. */
  doctype: string;
  key: string;
  notes: string[];
  clippedCharacters: number | undefined;
}

/** What a shot depends on: the client, on its side where the shot is, and whether its images are shown. */
export function shotOf({ profile, shot }: Pick<ShotParts, 'profile' | 'shot'>): Wanted {
  return { profile: shot === 'horizontal' ? turned(profile) : profile, images: shot !== 'no_images' };
}

/** Which picture one screenshot of one client is. */
export async function planShot(
  outside: ShotDoors,
  { prepared, signal, ...parts }: Omit<ShotParts, 'scope' | 'raw'>,
): Promise<Planned> {
  const { profile, images } = shotOf(parts);
  const renderer = outside.browser.pick(profile.engine, profile.colorScheme);
  const { digest, notes, forceDark, clippedCharacters } = await prepared.emulations.find({ profile, images }, signal);
  const { width, height, pixelRatio } = profile.viewport;
  const look = {
    width,
    height,
    pixelRatio,
    colorScheme: profile.colorScheme,
    forceDark,
    heightMax: outside.config.render.heightMax,
  };
  const isMailClient = renderer.engine === 'thunderbird';
  const standIn = outside.browser.explainStandIn(profile.engine);
  const content = isMailClient ? `${prepared.htmlDigest} ${images}` : digest;
  const key = createHash('sha256')
    .update(JSON.stringify([renderer.engine, renderer.version, look, prepared.assetsDigest, content]))
    .digest('hex')
    .slice(0, 40);
  return {
    profile,
    images,
    look,
    engine: renderer.engine,
    doctype: doctypeOf(prepared.emulations.kept(digest) ?? ''),
    key,
    clippedCharacters: isMailClient ? undefined : clippedCharacters,
    notes: [...prepared.notes, ...(standIn === undefined ? [] : [standIn]), ...(isMailClient ? [] : notes)],
  };
}

/** What to render for one screenshot of one client. */
export async function shotRequest(outside: ShotDoors, { scope, raw, ...parts }: ShotParts): Promise<ShotRequest> {
  const { prepared, signal } = parts;
  const { profile, images, look, engine, key, notes, clippedCharacters } = await planShot(outside, parts);
  return {
    key,
    engine,
    notes,
    facts: { clippedCharacters, isPhone: profile.category === 'Mobile', images },
    request: {
      ...look,
      html: await prepared.emulations.document({ profile, images }, signal),
      ...(prepared.documentUrl !== undefined && { documentUrl: prepared.documentUrl }),
      scope,
      assetsKey: `${prepared.assetsDigest} ${images}`,
      fitWidth: profile.category === 'Mobile',
      assets: async (url) => {
        const asset = prepared.assets.get(url.split('#', 1)[0] as string);
        return images || !asset?.contentType.startsWith('image/') ? asset : undefined;
      },
      ...(engine === 'thunderbird' && raw && { message: { raw, images } }),
    },
  };
}
