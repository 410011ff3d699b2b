import type { CSSProperties, ReactNode, Ref } from 'react';
import type { Zoom } from '../pictures/zoom.ts';
import classes from './device-frame.module.css';

interface DeviceFrameProps {
  label: string;
  picture: { width: number; height: number };
  /** CSS pixels of the screen. */
  screenHeight: number;
  zoom: Zoom;
  /** Fills the picture's place. */
  children: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** The screen of a phone, on which the message is scrolled as its reader does. */
export function DeviceFrame({ label, picture, screenHeight, zoom, children, ref }: DeviceFrameProps) {
  const size = {
    '--screen-width': picture.width,
    '--screen-height': screenHeight,
    ...(zoom !== 'fit' && { '--device-scale': zoom }),
  } as CSSProperties;
  return (
    <div className={classes.room}>
      <div className={classes.device} style={size} data-fit={zoom === 'fit' || undefined}>
        <div ref={ref} className={classes.screen} tabIndex={0} role="region" aria-label={label} data-scale={1}>
          <div className={classes.message} style={{ aspectRatio: `${picture.width} / ${picture.height}` }}>
            {children}
          </div>
        </div>
      </div>
    </div>
  );
}
