import { useEffect, useRef, useState } from 'react';
import classes from './sharp-layer.module.css';
import type { SharpParts } from './use-sharp-parts.ts';

/** A picture is soft when a screen has more than so many pixels for each of its own. */
const SOFT_FROM = 1.05;

/** Whether the reader's screen has more pixels for the picture than it has. */
function useIsSoft(layer: { current: HTMLElement | null }, width: number): boolean {
  const [isSoft, setSoft] = useState(false);
  useEffect(() => {
    const element = layer.current;
    if (!element) return;
    const measure = (): void => setSoft(element.clientWidth * devicePixelRatio > SOFT_FROM * width);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [layer, width]);
  return isSoft;
}

/** Over the whole picture, those of its parts that are in sight; nothing while that is sharp enough. */
export function SharpLayer({ parts, picture }: { parts: SharpParts; picture: { width: number; height: number } }) {
  const layer = useRef<HTMLDivElement>(null);
  const isSoft = useIsSoft(layer, picture.width);
  const { count, partHeight, images, fault, want } = parts;
  useEffect(() => {
    const element = layer.current;
    if (!element || !isSoft) return;
    const observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) want(Number((target as HTMLElement).dataset['part']));
    });
    for (const part of element.children) observer.observe(part);
    return () => observer.disconnect();
  }, [isSoft, want, count]);
  const place = (part: number) => ({
    top: `${(100 * (part - 1) * partHeight) / picture.height}%`,
    height: `${(100 * Math.min(partHeight, picture.height - (part - 1) * partHeight)) / picture.height}%`,
  });
  return (
    <div ref={layer} className={classes.layer}>
      {Array.from({ length: count }, (_, n) => n + 1).map((part) => (
        <div key={part} data-part={part} style={place(part)}>
          {isSoft && fault === undefined && images.has(part) && (
            <img src={images.get(part)} alt="" draggable={false} data-sharp={part} />
          )}
        </div>
      ))}
    </div>
  );
}

/** What is to be known of the sharpness of the picture. */
export function SharpNote({ parts }: { parts: SharpParts }) {
  const { pixelRatio, images, isDrawing, fault } = parts;
  const text =
    fault ?? (isDrawing ? 'Drawing with the pixels of the screen …' : images.size > 0 ? `${pixelRatio} × pixels` : '');
  return (
    <p className={classes.note} role="status" data-fault={fault !== undefined || undefined}>
      {text}
    </p>
  );
}
