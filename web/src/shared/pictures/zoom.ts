// How large a picture is shown.

/** `fit` shows the whole width, and never more than its own. */
export type Zoom = 'fit' | number;

const STEPS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4];
export const ZOOM_MAX = 4;
export const ZOOM_MIN = 0.1;

export function scaleOf(zoom: Zoom, picture: { width: number }, pane: { width: number }): number {
  if (zoom !== 'fit') return zoom;
  return pane.width > 0 && picture.width > 0 ? Math.min(1, pane.width / picture.width) : 1;
}

/** The next step, larger (1) or smaller (−1). */
export function stepped(scale: number, direction: 1 | -1): number {
  const next =
    direction > 0 ? STEPS.find((step) => step > scale + 0.001) : STEPS.findLast((step) => step < scale - 0.001);
  return next ?? (direction > 0 ? ZOOM_MAX : ZOOM_MIN);
}
