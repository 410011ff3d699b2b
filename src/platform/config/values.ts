// What a value of a setting may be: each check answers the fault of a value, or undefined when it is valid.
import { isAddressRange } from '../fetch/index.ts';

/** A whole number between two others. */
export const whole = (min: number, max: number) => (text: string) =>
  /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max
    ? undefined
    : `give a whole number from ${min} to ${max}.`;

/** One of these words. */
export function oneOf(...values: string[]) {
  return (text: string) => (values.includes(text) ? undefined : `give one of ${values.join(', ')}.`);
}

/** Some of these words, joined by commas. */
export const someOf =
  (...values: string[]) =>
  (text: string) =>
    text.split(',').every((part) => values.includes(part.trim()))
      ? undefined
      : `give some of ${values.join(', ')}, joined by commas.`;

/** A URL with one of these schemes, such as `https:`. */
export const url =
  (...schemes: string[]) =>
  (text: string) =>
    URL.canParse(text) && schemes.includes(new URL(text).protocol)
      ? undefined
      : `give a URL that starts with ${schemes.map((s) => `${s}//`).join(' or ')}.`;

/** IP addresses or CIDR ranges, joined by commas. */
export const addressRanges = (text: string) =>
  text.split(',').every((part) => isAddressRange(part.trim()))
    ? undefined
    : 'give IP addresses or CIDR ranges, joined by commas.';

/** Ports, or ranges of ports, joined by commas. */
export const portRanges = (text: string) =>
  text.split(',').every((part) => {
    const [, from, to = from] = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part) ?? [];
    return from !== undefined && Number(from) >= 1 && Number(from) <= Number(to) && Number(to) <= 65_535;
  })
    ? undefined
    : 'give ports, or ranges of ports such as 1143-1150, joined by commas.';
