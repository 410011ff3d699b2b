import type { Static } from 'typebox';
import { publishedBehaviorsOf, type ClientProfile, type Fidelity } from '../../../engines/client-emulation/index.ts';
import { withAliases } from '../../../platform/http/index.ts';
import type { Client } from './contract.ts';

/** The engine that a deployment uses for a client, and how true that makes the picture. */
export interface ClientEngine {
  name: string;
  version: string;
  fidelity: Fidelity;
}

export function clientView(profile: ClientProfile, engine: ClientEngine): Static<typeof Client> {
  return withAliases({
    id: profile.id,
    client: profile.client,
    os: profile.os,
    category: profile.category,
    browser: profile.browser,
    rotate: profile.rotate,
    imageblocking: profile.imageBlocking,
    free: profile.free,
    default: profile.default,
    extension: profile.extension,
    display_name: profile.displayName,
    version: profile.version,
    family: profile.family,
    color_scheme: profile.colorScheme,
    dark_mode: profile.darkStrategy,
    viewport: {
      width: profile.viewport.width,
      height: profile.viewport.height,
      pixel_ratio: profile.viewport.pixelRatio,
    },
    screen_pixel_ratio: profile.screenPixelRatio,
    fidelity: engine.fidelity,
    engine: engine.name,
    engine_version: engine.version,
    wanted_engine: profile.engine,
    published_behaviors: publishedBehaviorsOf(profile) ?? null,
    sources: profile.sources,
  });
}
