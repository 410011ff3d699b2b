import { invalid } from '../../../platform/errors/index.ts';

/** RFC 2822 or ISO 8601, as different clients send it. */
export function readTime(field: string, text: string | undefined): Date | undefined {
  if (text === undefined || text === '') return undefined;
  const at = new Date(/^\d{9,11}$/.test(text) ? Number(text) * 1000 : text);
  if (Number.isNaN(at.getTime())) throw invalid(field, `"${text}" is not a time; give it as RFC 2822 or ISO 8601.`);
  return at;
}
