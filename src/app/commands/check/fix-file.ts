// `--fix`: repairs of accessibility in the file itself.
import { writeFile } from 'node:fs/promises';
import { fixAccessibility } from '../../../engines/accessibility/index.ts';
import { readMessageFile } from '../message-file.ts';
import { UsageError } from '../usage.ts';
import type { CheckOptions } from './options.ts';

/**
 * Writes the repaired file; returns what to tell: how much changed, the difference, what a person must look at, and
 * what looks different.
 */
export async function fixFile(
  path: string,
  { subject, looks, type }: Pick<CheckOptions, 'subject' | 'looks' | 'type'>,
): Promise<string> {
  const { kind, bytes } = await readMessageFile(path, type);
  if (kind !== 'html') throw new UsageError(`--fix writes HTML files; ${path} is none.`);
  const html = bytes.toString('utf8');
  if (!Buffer.from(html, 'utf8').equals(bytes))
    throw new UsageError(`${path} is not in UTF-8, so --fix does not change it.`);
  const {
    html: fixed,
    changes,
    left,
    diff,
    before,
    after,
  } = fixAccessibility(html, { fileName: path, looks, ...(subject !== undefined && { subject }) });
  const leftOver = left.map(({ rule, line, reason }) => `  left     ${path}:${line}  ${rule}: ${reason}`);
  if (fixed === html) return [`${path}: nothing to fix.`, ...leftOver].join('\n');
  await writeFile(path, fixed);
  const guesses = changes
    .filter(({ check }) => check)
    .map(({ line, rule, note }) => `  look at  ${path}:${line}  ${rule}: ${note}`);
  const seen = changes
    .filter(({ changesLook }) => changesLook)
    .map(({ line, rule, note }) => `  looks    ${path}:${line}  ${rule}: ${note}`);
  return [
    `${path} was changed in ${changes.length} places; accessibility failures went from ` +
      `${before.failing} to ${after.failing}.`,
    diff.trimEnd(),
    ...guesses,
    ...seen,
    ...leftOver,
  ].join('\n');
}
