// The words of client emulation: a client profile (data), a parsed message, an emulated document.

/** How a screenshot came to be: the real client, its real engine, or another engine made to behave like it. */
export type Fidelity = 'real' | 'engine' | 'emulated';

/** Browser engines and real clients that can make a picture. Chromium is always there; the others are probed. */
type EngineName = 'chromium' | 'firefox' | 'webkit' | 'thunderbird';

/** What a client does to the colors of a message in dark mode. `authored` only honors `prefers-color-scheme`. */
export type DarkStrategy = 'none' | 'authored' | 'partial' | 'full';

/** One client version on one device: a row of the catalog (`data/clients`). */
export interface ClientProfile {
  /** Stable API id, such as `gmail_chrome`, `ol2021`, `iphone16_18_dm`. */
  id: string;
  displayName: string;
  /** Product, such as `Gmail`. */
  client: string;
  /** Product or OS version where it matters. */
  version: string;
  os: string;
  category: 'Application' | 'Mobile' | 'Web';
  /** Browser for webmail, otherwise empty. */
  browser: string;
  /** Vendor family for grouping: `Gmail`, `Outlook`, `Apple Mail`, `Yahoo`, … */
  family: string;
  /**
   * Keys into the caniemail data; null when no row of the data fits (real clients). `version` empty means newest.
   * `account` is the kind of mailbox that the client shows, where it differs from the client's own vendor: the Gmail
   * apps support less for other accounts, and so on.
   */
  support: { family: string; platform: string; version: string; account?: 'google' | 'microsoft' | 'other' } | null;
  /** CSS pixels of the reading pane, and screenshot pixels per CSS pixel. */
  viewport: { width: number; height: number; pixelRatio: number };
  /** Pixels that the device's screen has for each CSS pixel; pictures of whole messages do not have them. */
  screenPixelRatio: number;
  rotate: boolean;
  colorScheme: 'light' | 'dark';
  darkStrategy: DarkStrategy;
  /** Base background in dark mode, `#rrggbb`, where the client is known to use one. */
  darkBase: string;
  /** The engine wanted; Chromium stands in when it is absent. */
  engine: EngineName;
  fidelity: Fidelity;
  /** Names of family plug-ins, applied in order. */
  plugins: string[];
  /** Name of the client's default styles in `data/clients/appearances.json`; without one, the engine's own. */
  appearance?: string;
  imageBlocking: boolean;
  free: boolean;
  /** Part of a test when the caller names no clients. */
  default: boolean;
  extension: string;
  /** The largest message the client's service accepts, in bytes; null when it has none that is known. */
  messageBytesMax: number | null;
  /** Where the facts come from, with the date they were true. */
  sources: { what: string; url: string; date: string }[];
}

export interface EmulateOptions {
  /** False: the client shows the message with images blocked. */
  images: boolean;
}

export interface EmulatedDocument {
  /** A complete HTML document, ready for the engine; asset URLs are the message's own. */
  html: string;
  /** What the reader should know, such as `Clipped at 102 KB: 8,412 characters are not shown.` */
  notes: string[];
  /** Characters of text that the client leaves out because the message is too long for it; absent where it does not. */
  clippedCharacters?: number;
  /** Ask the engine for its own dark-mode change as well (Android WebView darkening). */
  forceDark: boolean;
}
