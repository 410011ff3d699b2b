import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { DownloadIcon } from '../../../ground/brand/icons.tsx';
import { Range } from '../../../shared/pictures/range.tsx';
import type { CheckedImage, Optimized } from '../../../shared/report/report-api.ts';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { bytes } from '../../../ground/words.ts';
import { fileOf, KINDS, nameOf } from './image-facts.ts';
import classes from './images-page.module.css';

interface BeforeAfterProps {
  image: CheckedImage;
  better: Optimized[];
  onClose: () => void;
}

/** The original and a smaller file, one over the other, with an edge to move. */
export function BeforeAfter({ image, better, onClose }: BeforeAfterProps) {
  const [chosen, setChosen] = useState(better[0]?.id ?? '');
  const [share, setShare] = useState(50);
  const after = better.find(({ id }) => id === chosen) ?? better[0];
  if (!after?.optimized_url || !image.stored_url) return null;
  const { visual_difference: difference } = after;
  return (
    <Dialog onClose={onClose} title={nameOf(image)} size="min(980px, 100%)">
      <div className={classes.compareBar}>
        {better.length > 1 && (
          <SegmentedControl
            aria-label="File"
            value={after.id}
            onChange={setChosen}
            data={better.map((one) => ({
              value: one.id,
              label: `${KINDS[one.kind ?? 'same_format'].name} (${(one.optimized_format ?? '').toUpperCase()})`,
            }))}
          />
        )}
        <span className={classes.compareRange}>
          <strong>Before</strong> {bytes(after.original_size_bytes ?? image.size_bytes ?? 0)}
        </span>
        <Range label="Divider position" isLabelHidden value={share} onChange={setShare} />
        <span className={classes.compareRange}>
          <strong>After</strong> {bytes(after.optimized_size_bytes ?? 0)}
        </span>
      </div>
      <div className={classes.compareDesk}>
        <div className={classes.compare}>
          <img
            src={fileOf(image.stored_url)}
            alt={`Before: ${nameOf(image)}`}
            style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }}
          />
          <img
            src={fileOf(after.optimized_url)}
            alt="After"
            className={classes.after}
            style={{ clipPath: `inset(0 0 0 ${share}%)` }}
          />
          <span className={classes.edge} style={{ left: `${share}%` }} aria-hidden="true" />
        </div>
      </div>
      <p className={classes.compareNote}>
        <strong className={classes.saved}>−{Math.round(after.saved_percent ?? 0)} %</strong>{' '}
        {KINDS[after.kind ?? 'same_format'].about}
        {difference &&
          ` Structural similarity ${difference.ssim.toFixed(3)} of 1; the color difference is ` +
            `${difference.delta_e.toFixed(1)} (2 is barely visible).`}
        {after.client_support_warning && <span className={classes.warning}> {after.client_support_warning}</span>}
      </p>
      <Button component="a" href={`${fileOf(after.optimized_url)}?download=1`} download leftSection={<DownloadIcon />}>
        Download smaller file
      </Button>
    </Dialog>
  );
}
