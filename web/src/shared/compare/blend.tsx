import { useState, type CSSProperties } from 'react';
import { Range } from '../pictures/range.tsx';
import { ZoomPane } from '../pictures/zoom-pane.tsx';
import classes from './compare.module.css';
import type { CompareViewProps } from './pair.ts';

/** One picture over the other: wiped away from the right, or faded. */
export function Blend({ pair, zoom, onZoom, mode }: CompareViewProps & { mode: 'wipe' | 'fade' }) {
  const [share, setShare] = useState(50);
  const { a, b } = pair;
  const whole = { width: Math.max(a.width, b.width), height: Math.max(a.height, b.height) };
  const sizeOf = (side: { width: number; height: number }): CSSProperties => ({
    width: `${(side.width / whole.width) * 100}%`,
    height: `${(side.height / whole.height) * 100}%`,
  });
  const over: CSSProperties = mode === 'wipe' ? { clipPath: `inset(0 0 0 ${share}%)` } : { opacity: share / 100 };
  return (
    <div className={classes.one}>
      <div className={classes.control}>
        <strong>{a.name}</strong>
        <Range
          label={mode === 'wipe' ? 'Divider position' : 'Opacity of the second client'}
          isLabelHidden
          value={share}
          onChange={setShare}
        />
        <strong>{b.name}</strong>
      </div>
      <ZoomPane label={`${a.name} and ${b.name}, one over the other`} picture={whole} zoom={zoom} onZoom={onZoom}>
        <img src={a.url} alt={a.alt} style={sizeOf(a)} draggable={false} />
        <div className={classes.over} style={over}>
          <img src={b.url} alt={b.alt} style={sizeOf(b)} draggable={false} />
        </div>
        {mode === 'wipe' && <div className={classes.edge} style={{ left: `${share}%` }} aria-hidden="true" />}
      </ZoomPane>
    </div>
  );
}
