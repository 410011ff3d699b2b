// The one shape behind which every engine makes pictures.
import type { MeasuredLayout } from './layout.ts';

export type EngineName = 'chromium' | 'firefox' | 'webkit' | 'thunderbird';

/** A fetched asset, as served to the engine. */
export interface Asset {
  status: number;
  contentType: string;
  body: Buffer;
}

/** What an engine may load: nothing but this. `undefined` means the asset is refused or was not fetched. */
export type AssetSource = (url: string) => Promise<Asset | undefined>;

export interface RenderRequest {
  /** A complete HTML document. */
  html: string;
  /**
   * Where the document claims to lie, for relative addresses; nothing is fetched from there. Default: a host of our
   * own.
   */
  documentUrl?: string;
  /** Renders with one scope (a test id) may share a browser context; others never do. */
  scope: string;
  /** Viewport in CSS pixels. */
  width: number;
  height: number;
  pixelRatio: number;
  colorScheme: 'light' | 'dark';
  forceDark: boolean;
  /** Where the picture is cut, in CSS pixels. */
  heightMax: number;
  /**
   * `first_screen` asks for what the viewport shows, in full resolution; the answer says whether it is the whole picture
   * all the same, because that is small or the engine makes no other. Default: `whole`.
   */
  extent?: 'whole' | 'first_screen';
  /**
   * Only these rows of the picture, in its pixels at a ratio of 1. `extent` is of no account then; the answer is never
   * whole, and its `height` may be less at the end of the document.
   */
  part?: { top: number; height: number };
  assets: AssetSource;
  /**
   * Names the set that `assets` answers from (its digest, and whether images are on). Renders of one scope with equal
   * keys share what the browser has loaded and decoded; without a key every render loads its assets again.
   */
  assetsKey?: string;
  /** A document wider than the viewport is shrunk to it, as phones do, instead of cut at its right edge. */
  fitWidth?: boolean;
  /**
   * How much of the machine the render may use: `quick` is enough for ordinary pictures and shares the browsers with
   * all others; `patient` is more, one at a time, in a browser apart. Default: quickly, and what the document itself
   * made fail once more patiently.
   */
  effort?: 'quick' | 'patient';
  /** Processor time in milliseconds, where it is to be less than the effort allows. */
  cpuMsMax?: number;
  /** The raw message, needed by engines that are whole mail clients. */
  message?: { raw: Buffer; images: boolean };
}

export interface Rendering {
  png: Buffer;
  /** Pixels of the picture. */
  width: number;
  height: number;
  /** CSS pixels of the whole document; more than `heightMax` when the picture was cut. */
  contentHeight: number;
  /** Of the whole picture: it does not have the whole document. */
  isCut: boolean;
  /** False where a first screen or a part was asked for and this is one: there is more to the picture. */
  isWhole: boolean;
  engine: { name: EngineName; version: string };
  /** What may be a fault in it; absent for a first screen and a part, and where the engine does not measure. */
  layout?: MeasuredLayout;
}

export interface Renderer {
  readonly engine: EngineName;
  /** Product and version, such as `Chromium 156.0.8078.79`. */
  readonly version: string;
  /**
   * Throws `RenderError` when there is no picture. When `isOfDocument`, trying it a third time is no use; the caller
   * may retry the others. The time in which a render waits for its turn is not counted.
   */
  render(request: RenderRequest, signal: AbortSignal): Promise<Rendering>;
  close(): Promise<void>;
}
