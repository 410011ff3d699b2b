// A message ready for rendering: its assets are there, and what each client shows of it is worked out when asked for.
import type { Asset } from '../../../platform/browser/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { relativeAddresses, type LoadedSource } from '../_message/index.ts';
import { composeMessage, digestOf, Emulations } from './emulations.ts';

export interface Prepared {
  html: string;
  /** Digest of the HTML as it was sent. */
  htmlDigest: string;
  /** The URL of the page; relative addresses are resolved against it. */
  documentUrl: string | undefined;
  /** What to know about every picture of the message. */
  notes: string[];
  emulations: Emulations;
  /** Assets by absolute URL without fragment. */
  assets: ReadonlyMap<string, Asset>;
  /** Changes when any asset does. */
  assetsDigest: string;
  /** The message as a mail client gets it. */
  raw(): Promise<Buffer>;
}

/** A mail client has no other way to learn where a page lay that its relative addresses refer to. */
export function withBase(html: string, baseUrl: string | undefined): string {
  if (!baseUrl) return html;
  const tag = `<base href="${baseUrl.replaceAll('"', '%22')}">`;
  const head = /<head[^>]*>/i.exec(html);
  return head ? html.slice(0, head.index + head[0].length) + tag + html.slice(head.index + head[0].length) : tag + html;
}

const URL_SHOWN_MAX = 200;

/** The picture shows what the page shows; a message has no address that its relative ones could be completed by. */
function relativeNotes(count: number, what: string): string[] {
  if (count === 0) return [];
  const [are, lead] =
    count === 1
      ? ['1 relative address of an image or link is', 'it leads']
      : [`${count} relative addresses of images and links are`, 'they lead'];
  return [`${are} completed by ${what}; sent as a message, ${lead} nowhere.`];
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
export async function prepareMessage(
  { compute, config }: Pick<Outside, 'compute' | 'config'>,
  loaded: LoadedSource,
  assets: ReadonlyMap<string, Asset>,
): Promise<Prepared> {
  const { html, baseUrl, isFolder = false, subject, headers } = loaded;
  const known = await digestsOf(assets.values());
  const inOrder = [...assets].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    html,
    htmlDigest: digestOf(html),
    documentUrl: baseUrl,
    notes:
      baseUrl === undefined
        ? []
        : relativeNotes(
            await compute.run(relativeAddresses, html),
            isFolder ? 'the folder of the file' : `the address of the page, ${baseUrl.slice(0, URL_SHOWN_MAX)}`,
          ),
    emulations: new Emulations({ compute, html, subject, secondsMax: config.compute.seconds }),
    assets,
    assetsDigest: digestOf(inOrder.map(([url, asset]) => `${url} ${asset.contentType} ${known.get(asset)}`).join('\n')),
    raw: async () => loaded.raw ?? compute.run(composeMessage, { subject, html: withBase(html, baseUrl), headers }),
  };
}
