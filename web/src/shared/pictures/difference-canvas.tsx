import { useEffect, useRef } from 'react';
import type { Difference } from './difference.ts';

export function DifferenceCanvas({ difference, label }: { difference: Difference; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    canvas.current
      ?.getContext('2d')
      ?.putImageData(new ImageData(difference.data, difference.width, difference.height), 0, 0);
  }, [difference]);
  return <canvas ref={canvas} width={difference.width} height={difference.height} role="img" aria-label={label} />;
}
