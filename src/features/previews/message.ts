// A message ready for rendering: its assets are there, and what each client shows of it is worked out when asked for.
import type { Asset } from '../../platform/browser/index.ts';
import type { Outside } from '../../platform/feature/index.ts';
import type { LoadedSource } from '../email-sources/index.ts';
import { composeMessage, digestOf, Emulations } from './emulations.ts';

export interface Prepared {
  html: string;
  /** Of the HTML as it was sent. */
  htmlDigest: string;
  /** Where it was read from; relative addresses are relative to that. */
  documentUrl: string | undefined;
  emulations: Emulations;
  /** By absolute URL without fragment. */
  assets: ReadonlyMap<string, Asset>;
  /** Changes when any asset does. */
  assetsDigest: string;
  /** The message as a mail client gets it. */
  raw(): Promise<Buffer>;
}

/** A mail client has no other way to learn where a page lay that its relative addresses refer to. */
function withBase(html: string, baseUrl: string | undefined): string {
  if (!baseUrl) return html;
  const tag = `<base href="${baseUrl.replaceAll('"', '%22')}">`;
  const head = /<head[^>]*>/i.exec(html);
  return head ? html.slice(0, head.index + head[0].length) + tag + html.slice(head.index + head[0].length) : tag + html;
}

const digests = new WeakMap<Asset, string>();

/** Digests of assets, each worked out once; others have their turn between. */
export async function digestsOf(assets: Iterable<Asset>): Promise<ReadonlyMap<Asset, string>> {
  const found = new Map<Asset, string>();
  for (const asset of assets) {
    const known = digests.get(asset);
    const digest = known ?? digestOf(asset.body);
    digests.set(asset, digest);
    found.set(asset, digest);
    if (known === undefined) await new Promise((resolve) => void setImmediate(resolve));
  }
  return found;
}

/** Makes a message ready, once for all clients. */
export async function prepareMessage({ compute, config }: Pick<Outside, 'compute' | 'config'>, loaded: LoadedSource, assets: ReadonlyMap<string, Asset>): Promise<Prepared> {
  const { html, baseUrl, subject, headers } = loaded;
  const known = await digestsOf(assets.values());
  const inOrder = [...assets].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    html,
    htmlDigest: digestOf(html),
    documentUrl: baseUrl,
    emulations: new Emulations({ compute, html, subject, secondsMax: config.compute.seconds }),
    assets,
    assetsDigest: digestOf(inOrder.map(([url, asset]) => `${url} ${asset.contentType} ${known.get(asset)}`).join('\n')),
    raw: async () => loaded.raw ?? compute.run(composeMessage, { subject, html: withBase(html, baseUrl), headers }),
  };
}
