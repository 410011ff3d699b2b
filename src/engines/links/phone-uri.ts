// The syntax of tel: (RFC 3966) and sms: (RFC 5724), and what phones make of it.
import type { Verdict } from './types.ts';

interface Fault {
  severity: 'error' | 'warning' | 'info';
  message: string;
  fix: string;
}

/** One verdict on a tel:, sms:, smsto: or mms: link: its worst fault, with all of them in the details, or a pass. */
export function judgePhone(url: string): Verdict {
  const text = url.trim();
  const scheme = text.slice(0, text.indexOf(':')).toLowerCase();
  const rest = text.slice(scheme.length + 1);
  const isTel = scheme === 'tel';
  const { numbers, faults } = isTel ? readNumber(rest) : readSms(rest, scheme);
  const source = isTel ? 'RFC 3966' : 'RFC 5724';
  const details = [{ scheme, numbers, faults: faults.map(({ message }) => message) }];
  const worst = ['error', 'warning', 'info'].flatMap((severity) =>
    faults.filter((fault) => fault.severity === severity),
  )[0];
  if (!worst)
    return {
      rule: 'address',
      severity: 'pass',
      message: `The number ${numbers.join(', ')} is written correctly.`,
      source,
      details,
    };
  return { rule: 'address', ...worst, impact: IMPACTS[worst.severity], source, details };
}

const IMPACTS = { error: 'critical', warning: 'moderate', info: 'minor' } as const;
/** E.164: country code and number. */
const DIGITS_MAX = 15;

interface Numbers {
  numbers: string[];
  faults: Fault[];
}

function readNumber(written: string): Numbers {
  const faults: Fault[] = [];
  const [number = '', ...parameters] = written.split(';');
  if (/\s|%20/i.test(number))
    faults.push({
      severity: 'warning',
      message: `The number “${number.slice(0, 40)}” holds a space, which not every phone dials over.`,
      fix: 'Leave spaces out, or write hyphens.',
    });
  const compact = number.replace(/%20|[\s().-]/gi, '');
  if (compact === '' || compact === '+')
    return {
      numbers: [],
      faults: [
        {
          severity: 'error',
          message: 'The link holds no number.',
          fix: 'Write the number with its country code, such as tel:+4930123456.',
        },
      ],
    };
  const letters = /[^\d+*#]/.exec(compact)?.[0];
  const plus = compact.lastIndexOf('+');
  const digits = compact.replace(/\D/g, '').length;
  const cut = number.slice(0, 40);
  const refuse = (message: string, fix: string): number => faults.push({ severity: 'error', message, fix });
  if (letters !== undefined)
    refuse(`The number “${cut}” holds “${letters}”, which no phone dials.`, 'Write digits only.');
  else if (plus > 0)
    refuse(`The number “${cut}” has a plus sign inside.`, 'Put a plus sign only before the country code.');
  else if (compact.startsWith('+0'))
    refuse(`No country code starts with 0, as in “${cut}”.`, 'Write the country code after the plus sign.');
  else if (number.includes('(0)')) refuse(`“${cut}” holds (0), which phones dial along.`, 'Leave the (0) out.');
  else if (digits > DIGITS_MAX)
    refuse(`The number has ${digits} digits; no number has more than ${DIGITS_MAX}.`, 'Write one number per link.');
  else if (plus === -1 && digits > 6 && !parameters.some((parameter) => /^phone-context=./i.test(parameter))) {
    faults.push({
      severity: 'info',
      message: `The number “${cut}” has no country code, so it can be dialled in its own country only.`,
      fix: 'Write it with + and the country code.',
    });
  }
  return { numbers: [compact], faults };
}

function readSms(rest: string, scheme: string): Numbers {
  const at = rest.indexOf('?');
  const recipients = at === -1 ? rest : rest.slice(0, at);
  const query = at === -1 ? '' : rest.slice(at + 1);
  const faults: Fault[] = [];
  const numbers: string[] = [];
  if (scheme !== 'sms')
    faults.push({ severity: 'warning', message: `Few phones know ${scheme}: links.`, fix: 'Write sms:.' });
  const [list = '', ...iphone] = recipients.split('&');
  if (iphone.length > 0)
    faults.push({
      severity: 'warning',
      message: 'The text of the message follows after “&”, which only old iPhones read.',
      fix: 'Write ?body= in its place.',
    });
  if (list.trim() === '')
    faults.push({
      severity: 'warning',
      message: 'The sms: link names no number.',
      fix: 'Write the number after sms:.',
    });
  for (const recipient of list
    .split(',')
    .filter((part) => part.trim() !== '')
    .slice(0, 50)) {
    const read = readNumber(recipient);
    numbers.push(...read.numbers);
    faults.push(...read.faults);
  }
  for (const field of query.split('&').filter(Boolean)) {
    const name = field.split('=')[0]!.toLowerCase();
    if (name !== 'body')
      faults.push({
        severity: 'warning',
        message: `Phones ignore the field ${name.slice(0, 40)}.`,
        fix: 'Use only body.',
      });
    if (/%(?![0-9a-f]{2})/i.test(field))
      faults.push({
        severity: 'error',
        message: 'The text of the message contains a percent sign that encodes nothing.',
        fix: 'Write %25 for a percent sign.',
      });
  }
  return { numbers, faults };
}
