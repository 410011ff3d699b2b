import { ActionIcon, Button, Group } from '@mantine/core';
import { MinusIcon, PlusIcon } from '../../ground/brand/icons.tsx';
import { useShortcuts } from '../../ground/shell/shortcuts.ts';
import { stepped, type Zoom } from './zoom.ts';

interface ZoomControlsProps {
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
  /** The scale that `fit` comes to. */
  scale: () => number;
}

export function ZoomControls({ zoom, onZoom, scale }: ZoomControlsProps) {
  const larger = (): void => onZoom(stepped(scale(), 1));
  const smaller = (): void => onZoom(stepped(scale(), -1));
  useShortcuts({
    larger,
    smaller,
    fitWidth: () => onZoom('fit'),
    actualSize: () => onZoom(1),
    twiceTheSize: () => onZoom(2),
  });
  const choices: [Zoom, string][] = [
    ['fit', 'Fit'],
    [1, '100 %'],
    [2, '200 %'],
  ];
  const isOwn = choices.every(([value]) => value !== zoom);
  return (
    <Group gap={4} role="group" aria-label="Zoom" wrap="nowrap">
      <ActionIcon size={28} aria-label="Zoom out" onClick={smaller}>
        <MinusIcon />
      </ActionIcon>
      {choices.map(([value, label]) => (
        <Button
          key={label}
          size="compact-xs"
          variant={zoom === value ? 'filled' : 'subtle'}
          aria-pressed={zoom === value}
          onClick={() => onZoom(value)}
        >
          {label}
        </Button>
      ))}
      {isOwn && (
        <Button size="compact-xs" variant="filled" aria-pressed onClick={() => onZoom('fit')}>
          {Math.round((zoom as number) * 100)} %
        </Button>
      )}
      <ActionIcon size={28} aria-label="Zoom in" onClick={larger}>
        <PlusIcon />
      </ActionIcon>
    </Group>
  );
}
