import { Button, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { RichText } from '../../../shared/report/rich-text.tsx';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import { Facts } from '../../../ground/shell/facts.tsx';
import type { CheckedImage, Optimized } from '../../../shared/report/report-api.ts';
import { bytes } from '../../../ground/words.ts';
import { BeforeAfter } from './before-after.tsx';
import { betterOf, factsOf, fileOf, nameOf, severityOf, worstOf } from './image-facts.ts';
import classes from './images-page.module.css';

interface ImageCardProps {
  image: CheckedImage;
  optimized: Optimized[];
  isBusy: boolean;
  canOptimize: boolean;
  onOptimize: () => void;
}

function Saving({ image, optimized, isBusy, canOptimize, onOptimize }: ImageCardProps) {
  const [isOpen, setOpen] = useState(false);
  const own = optimized.filter((one) => one.original_image_id === image.id);
  const better = betterOf(own, image.id);
  const isProcessing = isBusy || own.some(({ status }) => status === 'Processing');
  const failure = own.find(({ status }) => status === 'Error');
  const best =
    better
      .filter(({ kind }) => kind !== 'alternative')
      .toSorted((a, b) => (b.saved_percent ?? 0) - (a.saved_percent ?? 0))[0] ?? better[0];
  if (best) {
    return (
      <div className={classes.saving}>
        <span>
          <strong className={classes.saved}>−{Math.round(best.saved_percent ?? 0)} %</strong>{' '}
          {bytes(best.original_size_bytes ?? 0)} → {bytes(best.optimized_size_bytes ?? 0)}
        </span>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Compare before and after: ${nameOf(image)}`}
          onClick={() => setOpen(true)}
        >
          Before and after
        </Button>
        {isOpen && (
          <BeforeAfter
            image={image}
            better={[best, ...better.filter((one) => one !== best)]}
            onClose={() => setOpen(false)}
          />
        )}
      </div>
    );
  }
  return (
    <div className={classes.saving}>
      {own.some(({ kind, status }) => kind === 'original' && status === 'Complete') && (
        <span className="dim">No smaller file was found.</span>
      )}
      {failure && (
        <span className={classes.warning}>{failure.error_message ?? 'The image could not be optimized.'}</span>
      )}
      {own.length === 0 || isProcessing ? (
        <Button
          variant="default"
          size="compact-sm"
          loading={isProcessing}
          disabled={!canOptimize}
          aria-label={`Optimize ${nameOf(image)}`}
          onClick={onOptimize}
        >
          Optimize
        </Button>
      ) : null}
    </div>
  );
}

/** One image, what is known of it, and what is wrong with it. */
export function ImageCard(props: ImageCardProps) {
  const { image } = props;
  const [ground, setGround] = useState<'light' | 'dark'>('light');
  const notes = image.informational.filter(({ rule }) => rule !== 'properties');
  const hasFrame = image.gif?.first_frame_url;
  return (
    <article className={classes.card}>
      <div className={classes.picture} data-ground={ground} data-empty={!image.stored_url || undefined}>
        {image.stored_url ? (
          <img src={fileOf(image.stored_url)} alt={image.alt || nameOf(image)} loading="lazy" />
        ) : (
          <span className={classes.none}>{image.status === 'Skipped' ? 'Not checked' : 'Could not be loaded'}</span>
        )}
        {image.has_transparency && (
          <Tooltip label="Show on a dark background">
            <button
              type="button"
              className={classes.ground}
              aria-pressed={ground === 'dark'}
              aria-label={`On a dark background: ${nameOf(image)}`}
              onClick={() => setGround(ground === 'dark' ? 'light' : 'dark')}
            />
          </Tooltip>
        )}
      </div>
      <div className={classes.words}>
        <h3 className={classes.name}>
          <SeverityMark severity={worstOf(image)} /> <span title={image.url}>{nameOf(image)}</span>
        </h3>
        {image.failures.map((finding) => (
          <p key={finding.id} className={classes.finding}>
            <SeverityMark severity={severityOf(finding)} size={13} />
            <span>
              <RichText text={finding.description} />
              {finding.recommendation && (
                <span className="dim">
                  {' '}
                  <RichText text={finding.recommendation} />
                </span>
              )}
            </span>
          </p>
        ))}
        {notes.length > 0 && (
          <details className={classes.notes}>
            <summary>{notes.length === 1 ? '1 note' : `${notes.length} notes`}</summary>
            {notes.map((finding) => (
              <p key={finding.id} className={classes.finding}>
                <span>
                  <RichText text={finding.description} />
                  {finding.recommendation && (
                    <span className="dim">
                      {' '}
                      <RichText text={finding.recommendation} />
                    </span>
                  )}
                </span>
              </p>
            ))}
          </details>
        )}
        <Facts facts={factsOf(image)} />
        {hasFrame && (
          <details className={classes.notes}>
            <summary>First frame</summary>
            <img
              className={classes.frame}
              src={fileOf(hasFrame)}
              alt={`First frame of ${nameOf(image)}`}
              loading="lazy"
            />
          </details>
        )}
        {image.stored_url && <Saving {...props} />}
      </div>
    </article>
  );
}
