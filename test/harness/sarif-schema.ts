// SARIF logs held against the standard's own schema.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compile } from 'typebox/schema';

const text = readFileSync(join(import.meta.dirname, '../fixtures/sarif/sarif-2.1.0.schema.json'), 'utf8');
// One pattern (for language tags, which no report here has) is no regular expression in Unicode mode: it has a bracket
// too many.
const validator = Compile(JSON.parse(text.replaceAll('[a-zA-Z]{2}]?$', '[a-zA-Z]{2}$')) as object);

/** What the schema has against a log; empty when it is valid. */
export function sarifFaults(log: unknown): string[] {
  const [isValid, errors] = validator.Errors(log);
  return isValid ? [] : errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
}
