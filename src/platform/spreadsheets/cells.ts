// What cells say: numbers, shares and days, as programs write them and as spreadsheets of much of Europe do after a
// person opened and saved the file. What may mean two things is not read.

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

/** Which of two numbers is the day where slashes stand, as far as a file says it. */
export type DayOrder = 'day first' | 'month first' | 'unknown';

/** `11/21/2026 1:00 AM`: clocks of twelve hours stand behind months. */
const HALF_DAY = /\d\s*[ap]\.?m\.?\s*$/i;

/** What the dates of a file say together: one with a number above 12, or with AM or PM, tells it of all others. */
export function orderOf(texts: readonly string[]): DayOrder {
  let isDayFirst = false;
  let isMonthFirst = false;
  for (const text of texts) {
    const [, one = '', two = ''] = /^\s*(\d{1,2})\/(\d{1,2})\//.exec(text) ?? [];
    if (one === '') continue;
    isDayFirst ||= Number(one) > 12;
    isMonthFirst ||= Number(two) > 12 || HALF_DAY.test(text);
  }
  if (isDayFirst === isMonthFirst) return 'unknown';
  return isDayFirst ? 'day first' : 'month first';
}

/** Where a file does not say it, a date can say it of itself; undefined for one that may be two days. */
function ownOrder(one: string, two: string): DayOrder | undefined {
  if (Number(one) > 12) return 'day first';
  return Number(two) > 12 || Number(one) === Number(two) ? 'month first' : undefined;
}

function joined(year: string, month: string, day: string): string | undefined {
  const text = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  // A date that there is not, such as 30 February, is none or another one.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}

const FORMS: readonly [
  form: RegExp,
  parts: (found: readonly string[], order: DayOrder) => [string, string, string] | undefined,
][] = [
  [/^(\d{4})-(\d{1,2})-(\d{1,2})(?![\d-])/, ([, year = '', month = '', day = '']) => [year, month, day]],
  [/^(\d{4})(\d{2})(\d{2})$/, ([, year = '', month = '', day = '']) => [year, month, day]],
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})(?!\d)/, ([, day = '', month = '', year = '']) => [year, month, day]],
  [
    /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?!\d)/,
    ([, one = '', two = '', year = ''], given) => {
      const order = given === 'unknown' ? ownOrder(one, two) : given;
      return order && (order === 'day first' ? [year, two, one] : [year, one, two]);
    },
  ],
];

/** The day of a date, with a time behind it or without; undefined for what is none, and for what may be two days. */
export function dayIn(text: string, order: DayOrder): string | undefined {
  for (const [form, partsOf] of FORMS) {
    const found = form.exec(text.trim());
    if (!found) continue;
    const parts = partsOf(found, order);
    return parts && joined(...parts);
  }
  return undefined;
}

/** Why a text is no day, as the end of a sentence about it. */
export function whyNoDay(text: string, order: DayOrder): string {
  const mayBeTwo = order === 'unknown' && dayIn(text, 'day first') !== undefined;
  const shown = `"${text.slice(0, 60)}"`;
  return mayBeTwo
    ? `${shown} may be two days, and no date of the file says which; give it as 2026-11-22 or 22.11.2026.`
    : `${shown} is not a day; give it as 2026-11-22 or 22.11.2026.`;
}

/**
 * `13.10.2011 18:02`, as spreadsheets of much of Europe show a time, in the order of ISO 8601: the day comes first where
 * dots stand, and by `order` where slashes do. What may be two days stays as it is.
 */
export function plainCellTime(text: string, order: DayOrder = 'unknown'): string {
  const [whole, time = ''] =
    /^\d{1,2}[./]\d{1,2}[./]\d{4}(?:[ ,]+(\d{1,2}:\d{2}(?::\d{2})?))?$/.exec(text.trim()) ?? [];
  const day = whole === undefined ? undefined : dayIn(whole, order);
  return day === undefined ? text : `${day}${time && ` ${time}`}`;
}
