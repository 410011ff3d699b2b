// What the clients' dark modes make of a message, each different one once.

import { CLIENTS, emulate, parseMessage, type ClientProfile, type DarkStrategy } from '../client-emulation/index.ts';
import { formatColor } from '../color/index.ts';
import type { AxeAudit } from './axe-outcomes.ts';
import { attr } from './elements.ts';
import { MARK_ATTRIBUTE, markElements, sourceMark } from './mark-elements.ts';
import type { Mail } from './read-mail.ts';
import { readMail, type MailElement } from './read-mail.ts';
import { textContrasts, type TextContrast } from './static-contrast.ts';

export interface DarkVariant {
  /** Names of the clients that show it, such as `Outlook.com (Chrome), dark`. */
  clients: string[];
  clientIds: string[];
  strategy: DarkStrategy;
  /** The message as they show it, with marks; to be audited with `prefers-color-scheme: dark` at this width. */
  html: string;
  widthPx: number;
  forceDark: boolean;
}

/** A variant with a browser's audit of it, where there is one. */
export interface JudgedVariant {
  variant: DarkVariant;
  /** Made with the rule `color-contrast` and `MARK_ATTRIBUTE`. */
  audit?: AxeAudit;
}

/**
 * One variant for each kind of dark mode: clients with the same strategy, base color and habits share one. Clients
 * whose dark mode leaves messages alone are left out.
 */
export function darkVariants(html: string, clients: readonly ClientProfile[] = CLIENTS): DarkVariant[] {
  return [...eachDarkVariant(html, clients)];
}

/** The same one by one, each when it is asked for: of a large message each takes a while. */
export function* eachDarkVariant(
  given: string | Mail,
  clients: readonly ClientProfile[] = CLIENTS,
): Generator<DarkVariant> {
  const message = parseMessage(markElements(given, 'text'));
  for (const group of darkGroups(clients)) {
    const [client] = group as [ClientProfile];
    const emulated = emulate(message, client, { images: true });
    yield {
      clients: group.map(({ displayName }) => displayName),
      clientIds: group.map(({ id }) => id),
      strategy: client.darkStrategy,
      html: emulated.html,
      widthPx: client.viewport.width,
      forceDark: emulated.forceDark,
    };
  }
}

function darkGroups(clients: readonly ClientProfile[]): ClientProfile[][] {
  const groups = new Map<string, ClientProfile[]>();
  for (const client of clients) {
    if (client.colorScheme !== 'dark' || client.darkStrategy === 'none') continue;
    const key = JSON.stringify([
      client.family,
      client.darkStrategy,
      client.darkBase,
      client.appearance,
      client.plugins,
      client.support?.family,
    ]);
    groups.set(key, [...(groups.get(key) ?? []), client]);
  }
  return [...groups.values()];
}

/** A text that can't be read well in some clients' dark mode. */
interface DarkContrast {
  /** Start of the element's tag in the source. */
  at: number;
  text: string;
  /** The lowest one. */
  ratio: number;
  required: number;
  foreground: string;
  background: string;
  /** In all of these it fails; the worst come first. */
  clients: string[];
  /** Measured in a browser. */
  isMeasured: boolean;
}

/**
 * Every text that fails in at least one variant, in the order of the source. Where dark mode leaves the colors as
 * `light` says they are, it is no matter of dark mode.
 */
export function darkContrasts(judged: readonly JudgedVariant[], light: readonly TextContrast[]): DarkContrast[] {
  const before = new Map(
    light.map(({ at, foreground, background }) => [at.start, `${formatColor(foreground)} ${formatColor(background)}`]),
  );
  const all = judged
    .flatMap(({ variant, audit }) => (audit ? measured(variant, audit) : computed(variant)))
    .filter(({ at, foreground, background }) => before.get(at) !== `${foreground} ${background}`)
    .sort((a, b) => a.ratio - b.ratio);
  const found = new Map<number, DarkContrast>();
  for (const one of all) {
    const worse = found.get(one.at);
    found.set(one.at, worse ? { ...worse, clients: [...new Set([...worse.clients, ...one.clients])] } : one);
  }
  return [...found.values()].sort((a, b) => a.at - b.at);
}

function measured({ clients }: DarkVariant, { failures }: AxeAudit): DarkContrast[] {
  const nodes = failures.filter(({ id }) => id === 'color-contrast').flatMap((rule) => rule.nodes);
  return nodes.flatMap(({ mark, html, any }) => {
    const data = any[0]?.data;
    const at = sourceMark(mark);
    if (!data || Number.isNaN(at)) return [];
    const text = html.replace(/<[^>]*>?/g, ' ');
    return [
      {
        at,
        text,
        ratio: Number(data['contrastRatio']),
        required: Number.parseFloat(String(data['expectedContrastRatio'])),
        foreground: String(data['fgColor']),
        background: String(data['bgColor']),
        clients,
        isMeasured: true,
      },
    ];
  });
}

function computed({ clients, html, widthPx }: DarkVariant): DarkContrast[] {
  const mail = readMail(html, { colorScheme: 'dark', widthPx });
  const low = textContrasts(mail).filter(
    ({ ratio, required, isOverPicture, text }) =>
      ratio < required && ratio > 1.01 && !isOverPicture && [...text].length > 1,
  );
  return low.flatMap(({ at: element, text, ratio, required, foreground, background }) => {
    const at = sourceMark(markOf(element));
    return Number.isNaN(at)
      ? []
      : [
          {
            at,
            text,
            ratio,
            required,
            foreground: formatColor(foreground),
            background: formatColor(background),
            clients,
            isMeasured: false,
          },
        ];
  });
}

function markOf(element: MailElement): string | undefined {
  for (let at: MailElement | undefined = element; at; at = at.parent) {
    const mark = attr(at, MARK_ATTRIBUTE);
    if (mark !== undefined) return mark;
  }
  return undefined;
}
