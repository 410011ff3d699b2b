// The part of html-to-text that is used here; the package brings no types of its own.
declare module 'html-to-text' {
  export type TextFormatter = (
    element: { attribs: Record<string, string | undefined> },
    walk: unknown,
    builder: { addInline(text: string): void },
  ) => void;
  export interface TextOptions {
    wordwrap: number | false;
    limits?: { maxDepth?: number; ellipsis?: string };
    formatters?: Record<string, TextFormatter>;
    selectors?: { selector: string; format?: string; options?: Record<string, unknown> }[];
  }
  export function convert(html: string, options: TextOptions): string;
}
