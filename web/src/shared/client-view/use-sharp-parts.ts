// A phone's picture with the pixels of its screen: a part is asked for when it comes into sight, and drawn then.
import { useCallback, useEffect, useRef, useState } from 'react';
import { pathOf } from '../../ground/api.ts';
import type { ProofClient } from '../proof/proof.ts';

type Part = { blob: Blob; contentHeight: number } | { reason: string };

export interface SharpParts {
  pixelRatio: number;
  count: number;
  /** Pixels of the whole picture. */
  partHeight: number;
  /** Addresses of those that are there, by number from 1. */
  images: ReadonlyMap<number, string>;
  isDrawing: boolean;
  /** Why the whole picture is shown without them. */
  fault: string | undefined;
  want: (part: number) => void;
}

/** How long somebody looks at a picture that is not sharp yet. */
const WAIT_MS = 120_000;

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}

async function fetchPart(url: string, signal: AbortSignal): Promise<Part> {
  for (const until = Date.now() + WAIT_MS; ;) {
    const answer = await fetch(url, { signal });
    if (answer.ok)
      return { blob: await answer.blob(), contentHeight: Number(answer.headers.get('galley-content-height')) };
    if (answer.status !== 425 || Date.now() > until) {
      const { message } = (await answer.json().catch(() => ({}))) as { message?: string };
      return { reason: message ?? `The service answered with ${answer.status}.` };
    }
    await pause(1000 * Number(answer.headers.get('retry-after') ?? 1), signal);
  }
}

/** The heights agree but for a fraction that is rounded up. */
const ROUNDED_PX = 1;

/** Undefined where the client has no such parts. */
export function useSharpParts(client: ProofClient, shot: string): SharpParts | undefined {
  const picture = client.result.pictures[shot];
  const sharp = picture?.sharp;
  const url = sharp?.url;
  const contentHeight = picture?.content_height ?? 0;
  const version = client.result.status_details.submitted;
  const [images, setImages] = useState<ReadonlyMap<number, string>>(new Map());
  const [drawing, setDrawing] = useState(0);
  const [fault, setFault] = useState<string>();
  const asked = useRef({ parts: new Set<number>(), ending: new AbortController(), addresses: [] as string[] });
  useEffect(() => {
    const now = { parts: new Set<number>(), ending: new AbortController(), addresses: [] as string[] };
    asked.current = now;
    setImages(new Map());
    setDrawing(0);
    setFault(undefined);
    return () => {
      now.ending.abort();
      for (const address of now.addresses) URL.revokeObjectURL(address);
    };
  }, [url, version]);
  const want = useCallback(
    (part: number): void => {
      const { parts, ending, addresses } = asked.current;
      if (url === undefined || parts.has(part)) return;
      parts.add(part);
      setDrawing((before) => before + 1);
      const take = (found: Part): void => {
        if (ending.signal.aborted) return;
        setDrawing((before) => before - 1);
        if ('reason' in found) return setFault(found.reason);
        if (Math.abs(found.contentHeight - contentHeight) > ROUNDED_PX)
          return setFault(
            `With the pixels of this screen the message is ${found.contentHeight} px high instead of ${contentHeight}: ` +
              'images or media queries depend on them. The API has the parts, as "sharp" of the picture.',
          );
        const address = URL.createObjectURL(found.blob);
        addresses.push(address);
        setImages((before) => new Map(before).set(part, address));
      };
      fetchPart(`${pathOf(url.replace('{part}', String(part)))}?v=${version}`, ending.signal).then(take, (error) =>
        take({ reason: `It could not be loaded: ${(error as Error).message}` }),
      );
    },
    [url, version, contentHeight],
  );
  if (!sharp) return undefined;
  const { pixel_ratio: pixelRatio, parts: count, part_height: partHeight } = sharp;
  return { pixelRatio, count, partHeight, images, isDrawing: drawing > 0, fault, want };
}
