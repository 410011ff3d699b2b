import { useState } from 'react';
import type { Capture } from '../../../shared/captures/captures-api.ts';
import { useOwnPicture } from '../../../shared/captures/use-own-picture.ts';
import classes from './captures.module.css';

type Side = 'captured' | 'preview';

/** Rows that the other picture lacks, marked where this one has them. */
function Lacking({ capture, side, height }: { capture: Capture; side: Side; height: number }) {
  const missingIn = side === 'captured' ? 'preview' : 'captured';
  const parts = capture.comparison?.parts.missing ?? [];
  return parts
    .filter((part) => part.missing_in === missingIn)
    .map(({ top, bottom }) => (
      <span
        key={top}
        className={classes.lacking}
        style={{ top: `${(top / height) * 100}%`, height: `${((bottom - top + 1) / height) * 100}%` }}
      />
    ));
}

interface PictureProps {
  name: string;
  about: string;
  url: string | null;
  alt: string;
  capture: Capture;
  side?: Side;
}

function Picture({ name, about, url, alt, capture, side }: PictureProps) {
  const address = useOwnPicture(url);
  const [height, setHeight] = useState<number>();
  const [isMissing, setMissing] = useState(false);
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        <strong>{name}</strong>
        <span>{about}</span>
      </figcaption>
      <div className={classes.sheet}>
        {isMissing && <p>The picture could not be loaded.</p>}
        {!isMissing && address !== undefined && (
          <a href={address} target="_blank" rel="noreferrer" aria-label={`${name}, at full size`}>
            <img
              src={address}
              alt={alt}
              onLoad={(event) => setHeight(event.currentTarget.naturalHeight)}
              onError={() => setMissing(true)}
            />
          </a>
        )}
        {side && height !== undefined && <Lacking capture={capture} side={side} height={height} />}
      </div>
    </figure>
  );
}

/** What the real client showed, what the preview shows, and where they differ. */
export function Pair({ capture, clientName }: { capture: Capture; clientName: string }) {
  const { captured, preview, difference } = capture.pictures;
  const { comparison, width, height } = capture;
  return (
    <div className={classes.trio}>
      <Picture
        name={capture.fidelity === 'real' ? 'Real client' : 'Captured'}
        about={`${width} × ${height} px`}
        url={captured}
        alt={`The message in ${clientName}, as it was captured`}
        capture={capture}
        side="captured"
      />
      {comparison && (
        <>
          <Picture
            name="Preview"
            about={`${comparison.preview_fidelity}, ${comparison.preview_engine}`}
            url={preview}
            alt={`The preview of the message in ${clientName}`}
            capture={capture}
            side="preview"
          />
          <Picture
            name="Difference"
            about="magenta where they differ"
            url={difference}
            alt="Where the two pictures differ"
            capture={capture}
          />
        </>
      )}
    </div>
  );
}
