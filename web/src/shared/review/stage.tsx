import type { MouseEvent } from 'react';
import { pathOf } from '../../ground/api.ts';
import type { Picture, Place, Thread } from './review.ts';
import classes from './review.module.css';

interface StageProps {
  picture: Picture;
  /** Its threads that are pinned to a place, in the order of their numbers. */
  pinned: readonly Thread[];
  draft: Place | undefined;
  chosen: string | undefined;
  onPin?: (place: Place) => void;
  onChoose: (threadId: string) => void;
}

const percent = (share: number): string => `${share * 100}%`;
const shareOf = (at: number, length: number): number =>
  Math.round(Math.min(1, Math.max(0, length > 0 ? at / length : 0)) * 1000) / 1000;

/** A picture with its pins; a click into it begins a comment there. */
export function Stage({ picture, pinned, draft, chosen, onPin, onChoose }: StageProps) {
  const { client, name, url, width, height } = picture;
  const pin = ({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>): void => {
    const { left, top, width: wide, height: high } = currentTarget.getBoundingClientRect();
    onPin?.({ client, x: shareOf(clientX - left, wide), y: shareOf(clientY - top, high) });
  };
  return (
    <div className={classes.stage}>
      {/* The keyboard's way is the button below: a comment on all of the picture. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <img
        src={pathOf(url)}
        alt={`The email in ${name}`}
        width={width ?? undefined}
        height={height ?? undefined}
        data-pins={onPin !== undefined}
        onClick={pin}
      />
      {pinned.map(({ id, x, y, resolved, text }, place) => (
        <button
          key={id}
          type="button"
          className={classes.pin}
          style={{ left: percent(x ?? 0), top: percent(y ?? 0) }}
          data-chosen={id === chosen}
          data-resolved={resolved !== null}
          aria-label={`Comment ${place + 1}: ${text.slice(0, 80)}`}
          onClick={() => onChoose(id)}
        >
          {place + 1}
        </button>
      ))}
      {draft?.client === client && draft.x !== undefined && (
        <span className={classes.pin} style={{ left: percent(draft.x), top: percent(draft.y ?? 0) }} data-draft="true">
          +
        </span>
      )}
    </div>
  );
}
