// Text files as programs for spreadsheets of much of Europe save them: bytes of one text in each encoding.

/** UTF-16 with its mark, as Excel saves «Unicode text». */
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

/** Windows-1252, of letters that it shares with ISO 8859-1. */
const western = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The same text in every encoding that a file may come in. */
export const ENCODINGS: readonly [name: string, encode: (text: string) => Buffer<ArrayBuffer>][] = [
  ['UTF-8 with a mark', (text) => Buffer.from(Buffer.from(`\ufeff${text}`))],
  ['UTF-16 LE with a mark', (text) => Buffer.from(utf16(text))],
  ['Windows-1252', (text) => Buffer.from(western(text))],
];
