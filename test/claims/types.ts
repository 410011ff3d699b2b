// The words of the claims: what a published source says of a client, as a message and what its picture must show.

import type { SourceName } from './sources.ts';

/** `measured`: seen in the client itself; `documented`: its maker or a vendor writes it; `common`: widely repeated. */
export type Strength = 'measured' | 'documented' | 'common';

/** Where a claim comes from. */
export interface Source {
  what: string;
  url: string;
  /** When it was published or last confirmed, as exactly as the source says; the day it was read where it says nothing. */
  date: string;
  /** The client's version, where the source names one. */
  version?: string;
  strength: Strength;
}

/** `#rrggbb` of the message, found in the picture again within a small tolerance. */
export type Color = string;

/** A color to compare with: `#rrggbb`, `light`, `dark`, or `not #rrggbb`. */
export type ColorTest = string;

/** Pixels, or the least and the most of them. */
export type Range = number | readonly [least: number, most: number];

/** One thing that the picture must show. Boxes are the smallest around all pixels of a color. */
export type Expectation =
  | { sees: Color }
  | { lacks: Color }
  | { width: readonly [Color, Range] }
  | { height: readonly [Color, Range] }
  /** Distance of the box from the picture's left edge. */
  | { left: readonly [Color, Range] }
  /** The second box stands below the first; how far. */
  | { below: readonly [above: Color, under: Color, gap?: Range] }
  /** The second box stands to the right of the first, at the same height; how far. */
  | { beside: readonly [left: Color, right: Color, gap?: Range] }
  /** The tops of two boxes are at one height. */
  | { level: readonly [Color, Color] }
  | { sameWidth: readonly [Color, Color] }
  | { otherWidth: readonly [Color, Color] }
  /** Every pixel of the box has its color (square corners), or not (`round`). */
  | { solid: Color }
  | { round: Color }
  /** What surrounds a picture of one color: the pixel right before its left edge. */
  | { ground: readonly [anchor: Color, ColorTest] }
  /** The text that stands right after a picture of one color: the pixel that differs most from its ground. */
  | { ink: readonly [anchor: Color, ColorTest] }
  /** The page itself, at its right edge near the bottom. */
  | { page: ColorTest };

/** One published behavior. */
export interface Claim {
  /** Stable; a withdrawn claim's id is not used again. */
  id: string;
  /** One sentence: what the client does. */
  says: string;
  /** Ids of the catalog. */
  clients: readonly string[];
  /** The body's content. */
  html: string;
  head?: string;
  /** Attributes of `<body>`. */
  body?: string;
  /** False: the message has no doctype. */
  doctype?: false;
  /** False: shown with images blocked. */
  images?: false;
  expect: readonly Expectation[];
  source: SourceName;
}
