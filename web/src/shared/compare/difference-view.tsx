import { Alert, Checkbox, Loader, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { sentenceOf } from '../../ground/api.ts';
import { alignRows, rowsAsTheyStand } from '../pictures/align-rows.ts';
import { DifferenceCanvas } from '../pictures/difference-canvas.tsx';
import { differenceOf, type Difference } from '../pictures/difference.ts';
import { loadPixels } from '../pictures/load-pixels.ts';
import { Range } from '../pictures/range.tsx';
import { ZoomPane } from '../pictures/zoom-pane.tsx';
import { count, percent } from '../../ground/words.ts';
import classes from './compare.module.css';
import { Jumps } from './jumps.tsx';
import type { CompareViewProps, Pair } from './pair.ts';

function usePixels({ a, b }: Pair, isScaled: boolean) {
  const width = isScaled ? Math.min(a.width, b.width) : undefined;
  return useQuery({
    queryKey: ['pixels', a.url, b.url, width],
    queryFn: ({ signal }) => Promise.all([loadPixels(a.url, { width, signal }), loadPixels(b.url, { width, signal })]),
    staleTime: Infinity,
    gcTime: 30_000,
  });
}

function percentOf({ differing, total }: Difference): string {
  return percent(differing / total);
}

export function DifferenceView({ pair, zoom, onZoom }: CompareViewProps) {
  const [tolerance, setTolerance] = useState(5);
  const [isScaled, setScaled] = useState(true);
  const [followsShifts, setFollowsShifts] = useState(true);
  const threshold = useDeferredValue(tolerance) / 100;
  const hasOneWidth = pair.a.width === pair.b.width;
  const pixels = usePixels(pair, isScaled && !hasOneWidth);
  const pairs = useMemo(
    () => pixels.data && (followsShifts ? alignRows(...pixels.data) : rowsAsTheyStand(...pixels.data)),
    [pixels.data, followsShifts],
  );
  const difference = useMemo(
    () => pixels.data && pairs && differenceOf(...pixels.data, { threshold, pairs }),
    [pixels.data, pairs, threshold],
  );
  const pane = useRef<HTMLDivElement>(null);
  return (
    <div className={classes.one}>
      <div className={classes.control}>
        {difference && (
          <span role="status" className={classes.verdict}>
            {difference.differing === 0 ? (
              <strong>No difference</strong>
            ) : (
              <>
                <strong>{percentOf(difference)}</strong> differ, in {count(difference.bands.length, 'place')}
              </>
            )}
          </span>
        )}
        {difference && difference.bands.length > 0 && <Jumps bands={difference.bands} pane={pane} />}
        <Range label="Tolerance" max={50} value={tolerance} onChange={setTolerance} />
        <Tooltip
          label={
            'Aligns matching rows even if one client shows them higher or lower. ' +
            'Pink rows exist in only one screenshot.'
          }
          multiline
          maw={280}
        >
          <Checkbox
            size="xs"
            label="Follow shifts"
            checked={followsShifts}
            onChange={(event) => setFollowsShifts(event.currentTarget.checked)}
          />
        </Tooltip>
        {!hasOneWidth && (
          <Checkbox
            size="xs"
            label={`Scale both to ${Math.min(pair.a.width, pair.b.width)} px`}
            checked={isScaled}
            onChange={(event) => setScaled(event.currentTarget.checked)}
          />
        )}
      </div>
      {pixels.error && (
        <Alert color="red" m="lg" title="The screenshots could not be compared">
          {sentenceOf(pixels.error)}
        </Alert>
      )}
      {!difference && !pixels.error && <Loader size="sm" m="xl" aria-label="Comparing" />}
      {difference && (
        <ZoomPane ref={pane} label="Difference" picture={difference} zoom={zoom} onZoom={onZoom}>
          <DifferenceCanvas
            difference={difference}
            label={`${percentOf(difference)} of ${pair.a.name} and ${pair.b.name} differ; magenta marks where`}
          />
        </ZoomPane>
      )}
    </div>
  );
}
