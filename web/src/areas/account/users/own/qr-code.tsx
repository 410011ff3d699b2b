import { encode } from 'uqr';
import classes from './own.module.css';

/** Light modules around the picture, which readers look for. */
const QUIET = 4;

/** A QR code: black on white in both themes, as cameras expect. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  const side = size + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={label}
      className={classes.qr}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <path d={dark} fill="#000" />
    </svg>
  );
}
