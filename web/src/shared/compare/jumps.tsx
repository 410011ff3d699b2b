import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { ChevronDownIcon, ChevronUpIcon } from '../../ground/brand/icons.tsx';
import type { Band } from '../pictures/difference.ts';
import { useShortcuts } from '../../ground/shell/shortcuts.ts';

const ABOVE_PX = 60;

interface JumpsProps {
  bands: readonly Band[];
  pane: { current: HTMLDivElement | null };
}

/** Leads from one place that differs to the next. */
export function Jumps({ bands, pane }: JumpsProps) {
  const jump = (direction: 1 | -1): void => {
    const element = pane.current;
    if (!element) return;
    const scale = Number(element.dataset['scale'] ?? 1);
    const tops = bands.map((band) => Math.max(0, band.top * scale - ABOVE_PX));
    const next =
      direction > 0
        ? tops.find((top) => top > element.scrollTop + 2)
        : tops.findLast((top) => top < element.scrollTop - 2);
    element.scrollTo({ top: next ?? (direction > 0 ? tops[0] : tops.at(-1)) ?? 0, behavior: 'smooth' });
  };
  useShortcuts({
    nextPlace: () => jump(1),
    placeBefore: () => jump(-1),
  });
  return (
    <Group gap={2} wrap="nowrap">
      <Tooltip label="Previous difference (k)">
        <ActionIcon size={28} aria-label="Previous difference" onClick={() => jump(-1)}>
          <ChevronUpIcon />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Next difference (j)">
        <ActionIcon size={28} aria-label="Next difference" onClick={() => jump(1)}>
          <ChevronDownIcon />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
