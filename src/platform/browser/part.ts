// Parts of a picture: some of its rows, drawn with more pixels than the whole has.
import sharp from 'sharp';
import { RenderError } from './errors.ts';
import { PIXEL_HEIGHT_MAX } from './extent.ts';
import type { Renderer, RenderRequest } from './types.ts';

const endsAbove = (detail: string): RenderError =>
  new RenderError('not_drawn', 'At this pixel ratio the document ends above this part.', detail);

/**
 * Which of a document's rows, in CSS pixels, are a part of its picture. `scale` is what the document is shrunk by to fit
 * the viewport's width. Throws `RenderError` (`not_drawn`) where the document ends above the part.
 */
export function rowsOf(
  { top, height }: NonNullable<RenderRequest['part']>,
  { contentHeight, scale }: { contentHeight: number; scale: number },
): { top: number; height: number } {
  const first = top / scale;
  if (first >= contentHeight) throw endsAbove(`${contentHeight} for ${Math.round(first)}`);
  return { top: first, height: Math.min(height / scale, contentHeight - first) };
}

/** Throws `RenderError` (`not_drawn`) for rows that an engine can't reach which draws all that is above them. */
export function refuseDeep({ part, pixelRatio }: Pick<RenderRequest, 'part' | 'pixelRatio'>): void {
  const heightMax = Math.floor(PIXEL_HEIGHT_MAX / pixelRatio);
  if (part && part.top + part.height > heightMax)
    throw new RenderError('not_drawn', `The engine draws at most ${heightMax} px of a message at this pixel ratio.`);
}

/** An engine that draws pictures from their top, made to answer with parts, too: it draws all that is above them. */
export function withParts(renderer: Renderer): Renderer {
  return {
    engine: renderer.engine,
    version: renderer.version,
    async render(request, signal) {
      const { part, ...above } = request;
      if (!part) return renderer.render(request, signal);
      refuseDeep(request);
      const { layout: _, ...whole } = await renderer.render({ ...above, extent: 'whole' }, signal);
      const top = Math.round(part.top * request.pixelRatio);
      if (top >= whole.height) throw endsAbove(`${whole.height} for ${top}`);
      const height = Math.min(Math.round(part.height * request.pixelRatio), whole.height - top);
      const png = await sharp(whole.png, { limitInputPixels: false })
        .extract({ left: 0, top, width: whole.width, height })
        .png({ compressionLevel: 2 })
        .toBuffer();
      return { ...whole, png, height, isWhole: false };
    },
    close: () => renderer.close(),
  };
}
