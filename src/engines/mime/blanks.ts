// Blanks in a row that only serve to keep the quoted-printable decoder busy.
import { Transform } from 'node:stream';

/**
 * Beyond this, blanks in a row only serve to keep the quoted-printable decoder busy, whose time grows with their
 * square.
 */
const BLANKS_MAX = 200;

export function shortenBlanks(raw: Buffer): Buffer {
  const kept: Buffer[] = [];
  let keptUntil = 0;
  let runStart = -1;
  for (let index = 0; index <= raw.length; index++) {
    const isBlank = raw[index] === 0x20 || raw[index] === 0x09;
    if (isBlank && runStart < 0) runStart = index;
    if (isBlank || runStart < 0) continue;
    if (index - runStart > BLANKS_MAX) {
      kept.push(raw.subarray(keptUntil, runStart + BLANKS_MAX));
      keptUntil = index;
    }
    runStart = -1;
  }
  return kept.length === 0 ? raw : Buffer.concat([...kept, raw.subarray(keptUntil)]);
}

/** The same for a message that comes in pieces. */
export function blanksShortened(): Transform {
  let run = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let keptUntil = 0;
      for (let index = 0; index < chunk.length; index++) {
        const isBlank = chunk[index] === 0x20 || chunk[index] === 0x09;
        if (isBlank && run === BLANKS_MAX && keptUntil <= index) this.push(chunk.subarray(keptUntil, index));
        run = isBlank ? run + 1 : 0;
        if (run > BLANKS_MAX) keptUntil = index + 1;
      }
      done(null, chunk.subarray(keptUntil));
    },
  });
}
