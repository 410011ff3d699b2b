import { useMergedRef } from '@mantine/hooks';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, type Ref } from 'react';
import classes from './zoom-pane.module.css';
import { scaleOf, ZOOM_MAX, ZOOM_MIN, type Zoom } from './zoom.ts';

interface ZoomPaneProps {
  label: string;
  picture: { width: number; height: number };
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
  /** Drawn at the picture's size; scaled by the pane. */
  children: ReactNode;
  ref?: Ref<HTMLDivElement>;
  onScroll?: () => void;
}

/** The width that a picture has in the pane. */
function useRoom(pane: { current: HTMLDivElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = pane.current;
    if (!element) return;
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    const measure = (): void =>
      setWidth(element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [pane]);
  return width;
}

/** Ctrl or ⌘ with the wheel zooms at the pointer. */
function useWheelZoom(pane: { current: HTMLDivElement | null }, scale: number, onZoom: (zoom: number) => void): void {
  const anchor = useRef<{ x: number; y: number; from: number } | null>(null);
  useEffect(() => {
    const element = pane.current;
    if (!element) return;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = element.getBoundingClientRect();
      anchor.current = { x: event.clientX - box.left, y: event.clientY - box.top, from: scale };
      onZoom(Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, scale * Math.exp(-event.deltaY * 0.002))));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [pane, scale, onZoom]);
  useLayoutEffect(() => {
    const element = pane.current;
    const at = anchor.current;
    if (!element || !at || at.from === scale) return;
    const ratio = scale / at.from;
    element.scrollLeft = (element.scrollLeft + at.x) * ratio - at.x;
    element.scrollTop = (element.scrollTop + at.y) * ratio - at.y;
    anchor.current = null;
  }, [pane, scale]);
}

/** The picture follows the mouse while its button is down. */
function useDragToPan(pane: { current: HTMLDivElement | null }): void {
  useEffect(() => {
    const element = pane.current;
    if (!element) return;
    let from: { x: number; y: number; left: number; top: number } | null = null;
    const onDown = (event: PointerEvent): void => {
      const isScrollBar = event.offsetX > element.clientWidth || event.offsetY > element.clientHeight;
      if (event.pointerType !== 'mouse' || event.button !== 0 || (event.target === element && isScrollBar)) return;
      from = { x: event.clientX, y: event.clientY, left: element.scrollLeft, top: element.scrollTop };
      element.dataset['dragging'] = '';
    };
    const onMove = (event: PointerEvent): void => {
      if (!from) return;
      element.scrollLeft = from.left - (event.clientX - from.x);
      element.scrollTop = from.top - (event.clientY - from.y);
    };
    const onUp = (): void => {
      from = null;
      delete element.dataset['dragging'];
    };
    element.addEventListener('pointerdown', onDown);
    window.addEventListener('pointermove', onMove);
    window.addEventListener('pointerup', onUp);
    return () => {
      element.removeEventListener('pointerdown', onDown);
      window.removeEventListener('pointermove', onMove);
      window.removeEventListener('pointerup', onUp);
    };
  }, [pane]);
}

/** A picture on the light table: scrolled with the keys, the wheel or the mouse, zoomed from outside. */
export function ZoomPane({ label, picture, zoom, onZoom, children, ref, onScroll }: ZoomPaneProps) {
  const pane = useRef<HTMLDivElement>(null);
  const merged = useMergedRef(pane, ref);
  const width = useRoom(pane);
  const scale = scaleOf(zoom, picture, { width });
  useWheelZoom(pane, scale, onZoom);
  useDragToPan(pane);
  return (
    <div
      ref={merged}
      className={classes.pane}
      tabIndex={0}
      role="region"
      aria-label={label}
      data-scale={scale}
      {...(onScroll && { onScroll })}
    >
      <div
        className={classes.canvas}
        style={{ width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) }}
        data-large={scale >= 2 || undefined}
      >
        {children}
      </div>
    </div>
  );
}
