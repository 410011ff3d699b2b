// Calls that tests made, written down for the examples of the OpenAPI document: `npm run examples` asks for it.
import { appendFileSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** One call that the service answered with 200, 201 or 202 and JSON. */
export interface RecordedCall {
  /** The test file, from the root. */
  file: string;
  recordedAtMs: number;
  /** Such as `GET /v1/keys?limit=2`. */
  operation: string;
  /** Undefined where nothing was sent, or what was sent is not JSON. */
  body?: unknown;
  status: number;
  reply: unknown;
  /** Where the service was reached. */
  baseUrl: string;
}

/** Longer ones are not written down: an example shows far less. */
const CALL_CHARACTERS_MAX = 300_000;

const ROOT = join(import.meta.dirname, '../..');

/**
 * Appends a call to the file of this process. Does nothing unless `GALLEY_RECORD_CALLS` names a folder, and where the
 * service refused or answered with a file.
 */
export function recordCall(call: Omit<RecordedCall, 'file' | 'recordedAtMs'>): void {
  const folder = process.env['GALLEY_RECORD_CALLS'];
  const isJson = typeof call.reply === 'object' && call.reply !== null && !Buffer.isBuffer(call.reply);
  if (!folder || ![200, 201, 202].includes(call.status) || !isJson) return;
  const file = relative(ROOT, process.argv[1] ?? '').replaceAll('\\', '/');
  const line = JSON.stringify({ file, recordedAtMs: Date.now(), ...call } satisfies RecordedCall);
  if (line.length > CALL_CHARACTERS_MAX) return;
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`);
}
