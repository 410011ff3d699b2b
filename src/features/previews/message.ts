// A message ready for rendering: parsed once, emulated once per client.
import { createHash } from 'node:crypto';
import { emulate, parseMessage, type ClientProfile, type EmulatedDocument } from '../../engines/client-emulation/index.ts';
import { composeMime } from '../../engines/mime/index.ts';
import type { Asset } from '../../platform/browser/index.ts';
import type { LoadedSource } from '../email-sources/index.ts';

export interface Prepared {
  html: string;
  /** Where it was read from; relative addresses are relative to that. */
  documentUrl: string | undefined;
  /** The message as that client shows it; worked out once. */
  emulated(profile: ClientProfile, images: boolean): EmulatedDocument;
  /** By absolute URL without fragment. */
  assets: ReadonlyMap<string, Asset>;
  /** Changes when any asset does. */
  assetsDigest: string;
  /** The message as a mail client gets it. */
  raw(): Promise<Buffer>;
}

export function digestOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 40);
}

/** A mail client has no other way to learn where a page lay that its relative addresses refer to. */
function withBase(html: string, baseUrl: string | undefined): string {
  if (!baseUrl) return html;
  const tag = `<base href="${baseUrl.replaceAll('"', '%22')}">`;
  const head = /<head[^>]*>/i.exec(html);
  return head ? html.slice(0, head.index + head[0].length) + tag + html.slice(head.index + head[0].length) : tag + html;
}

/** Parses the message, once for all clients. */
export function prepareMessage(loaded: LoadedSource, assets: ReadonlyMap<string, Asset>): Prepared {
  const { html, baseUrl, subject, headers } = loaded;
  const inOrder = [...assets].sort(([a], [b]) => (a < b ? -1 : 1));
  const message = parseMessage(html, subject);
  const known = new Map<string, EmulatedDocument>();
  return {
    html,
    documentUrl: baseUrl,
    emulated(profile, images) {
      const name = `${profile.id} ${profile.viewport.width} ${images}`;
      const document = known.get(name) ?? emulate(message, profile, { images });
      known.set(name, document);
      return document;
    },
    assets,
    assetsDigest: digestOf(inOrder.map(([url, asset]) => `${url} ${asset.contentType} ${digestOf(asset.body)}`).join('\n')),
    raw: async () => loaded.raw ?? composeMime({ subject, html: withBase(html, baseUrl), headers }),
  };
}
