import { Button, FileButton } from '@mantine/core';
import { bytes } from '../../../ground/words.ts';
import classes from './captures.module.css';
import type { ChosenState } from './use-chosen-picture.ts';

/** Where the screenshot is put, and then shown. */
export function ScreenshotBox({ chosen, error }: { chosen: ChosenState; error: string | undefined }) {
  const { picture, scale, isDragged, take, clear } = chosen;
  const choose = (
    <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => file && take(file)}>
      {(props) => (
        <Button {...props} variant="default" size="xs">
          {picture ? 'Choose another' : 'Choose a file'}
        </Button>
      )}
    </FileButton>
  );
  return (
    <figure className={classes.figure} aria-label="The screenshot">
      <figcaption className={classes.caption}>
        <strong>My client</strong>
        {picture && (
          <span>
            {Math.round(picture.width / scale)} × {Math.round(picture.height / scale)} px, {bytes(picture.file.size)}
          </span>
        )}
      </figcaption>
      {picture ? (
        <>
          <div className={`${classes.sheet} ${classes.tall}`} tabIndex={0} role="region" aria-label="The screenshot">
            <img src={picture.url} alt="What my client shows" />
          </div>
          <div className={classes.end}>
            {choose}
            <Button variant="default" size="xs" onClick={clear}>
              Remove
            </Button>
          </div>
        </>
      ) : (
        <div className={classes.drop} data-over={isDragged || undefined}>
          <span className={classes.dropTitle}>Paste or drop a screenshot</span>
          <span className="dim">PNG, JPEG or WebP, at most 10 MB and 25 megapixels.</span>
          {choose}
        </div>
      )}
      {error !== undefined && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </figure>
  );
}
