// What cells of providers' exports say: numbers, shares and days, as their own programs write them and as spreadsheets
// of much of Europe do after a person opened and saved the file.

/** `Spam rate (%)`, `spamRate` and `spam_rate` are one name: `spam rate`. */
export function nameOf(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** A whole number; undefined for what is none. Points, commas, blanks and apostrophes may stand between thousands. */
export function countIn(text: string): number | undefined {
  const given = text.trim();
  if (/^\d{1,9}$/.test(given)) return Number(given);
  if (/^\d{1,3}([.,'’\s]\d{3}){1,3}$/.test(given)) {
    const number = Number(given.replace(/\D/g, ''));
    return number <= 2_147_483_647 ? number : undefined;
  }
  return /^\d{1,9}[.,]0+$/.test(given) ? Number(given.split(/[.,]/)[0]) : undefined;
}

/** A share from 0 to 1: `0.12%`, `0,12 %`, or, in a column of percent, `0,12`; undefined for what is none. */
export function shareIn(text: string, isPercent: boolean): number | undefined {
  const [, digits, sign] = /^<?\s*(\d{1,3}(?:[.,]\d{1,20})?(?:e-?\d{1,3})?)\s*(%?)$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits.replace(',', '.'));
  // Without the noise of binary fractions: 0.12 % is 0.0012.
  const share = sign === '%' || isPercent ? Number((number / 100).toPrecision(12)) : number;
  return share <= 1 ? share : undefined;
}

/** Which of two numbers is the day where slashes stand: one way for a whole file. */
export type DayOrder = 'day first' | 'month first';

/**
 * The day comes first where a first number is above 12. Where no cell tells, the month does: so Google, Microsoft and
 * Yahoo write.
 */
export function orderOf(texts: readonly string[]): DayOrder {
  return texts.some((text) => Number(/^\s*(\d{1,2})\/\d/.exec(text)?.[1] ?? 0) > 12) ? 'day first' : 'month first';
}

function joined(year: string, month: string, day: string): string | undefined {
  const text = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  // A date that there is not, such as 30 February, is none or another one.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}

const FORMS: readonly [form: RegExp, parts: (found: readonly string[], order: DayOrder) => [string, string, string]][] =
  [
    [/^(\d{4})-(\d{1,2})-(\d{1,2})(?![\d-])/, ([, year = '', month = '', day = '']) => [year, month, day]],
    [/^(\d{4})(\d{2})(\d{2})$/, ([, year = '', month = '', day = '']) => [year, month, day]],
    [/^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})(?!\d)/, ([, day = '', month = '', year = '']) => [year, month, day]],
    [
      /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?!\d)/,
      ([, one = '', two = '', year = ''], order) => (order === 'day first' ? [year, two, one] : [year, one, two]),
    ],
  ];

/** The day of a date, with a time behind it or without; undefined for what is none. */
export function dayIn(text: string, order: DayOrder): string | undefined {
  for (const [form, parts] of FORMS) {
    const found = form.exec(text.trim());
    if (found) return joined(...parts(found, order));
  }
  return undefined;
}
