// Small pictures in the size that they are shown at: the browser chooses among the widths that the service makes.

/** Widths that the service makes of a small picture. */
type SmallWidth = 120 | 160 | 240 | 320 | 480;

/** For an `img`: the address of a small picture, ending in `.webp` or with a query already, in each of these widths. */
export function sizedPicture(url: string, widths: readonly SmallWidth[]): { src: string; srcSet: string } {
  const at = (width: number): string => `${url}${url.includes('?') ? '&' : '?'}width=${width}`;
  return { src: at(widths[0] ?? 240), srcSet: widths.map((width) => `${at(width)} ${width}w`).join(', ') };
}
