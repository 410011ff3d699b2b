// Repairs that change the looks, each by as little as it takes; made only when asked for.

import type { MailElement } from '../read-mail.ts';
import { readMail, type Mail } from '../read-mail.ts';
import { COLOR_CONTRAST } from '../email-rules/contrast.ts';
import { darkRatios, worseInTheDark, type DarkRatios } from './dark-ratios.ts';
import { proposeContrasts, type StrengthOf } from './fix-contrast.ts';
import { proposeAlignmentAndCase, proposeLines, proposeSizes, proposeUnderlines } from './fix-text-looks.ts';
import type { Fixing } from './fixing.ts';
import { attributesAfter, changesByElement, retouched, type Change, type Proposal, type Retouch } from './retouch.ts';

/** One repair can call for another: larger text for higher lines. */
const ROUNDS_MAX = 3;
/** What made a dark mode worse is tried again with more contrast, then not at all. */
const STRENGTHS = [1, 1.15, 1.4, 2];
/** How often colors are taken back and others tried. */
const DARK_TRIES_MAX = 8;
/** The dark modes of longer messages are not computed, so their colors are not changed. */
const DARK_LENGTH_MAX = 200_000;

const TOO_LONG = 'The message is too long to find out what dark modes would make of other colors.';

/** Repairs contrast, text sizes, line heights, alignment, capitals and links. Gives way between its steps. */
export function* fixLooks(fixing: Fixing): Generator<undefined, void> {
  const { mail } = fixing;
  const refusals = new Map<string, number>();
  const isLong = mail.html.length > DARK_LENGTH_MAX;
  let before: DarkRatios | undefined;
  for (let tries = 0; ; tries++) {
    const draft = yield* draftOf(
      mail,
      (way, { index }) => (tries < DARK_TRIES_MAX ? STRENGTHS[refusals.get(`${way} ${index}`) ?? 0] : undefined),
      isLong,
    );
    const colored = draft.retouches.filter(({ way }) => way !== undefined);
    if (colored.length > 0) {
      before ??= yield* darkRatios(mail);
      const worse = worseInTheDark(before, yield* darkRatios(readMail(draft.html)));
      const harmful = colored.filter(({ texts = [] }) => texts.some((text) => worse.has(text)));
      for (const key of new Set(harmful.flatMap(({ way, texts = [] }) => texts.map((text) => `${way} ${text}`))))
        refusals.set(key, (refusals.get(key) ?? 0) + 1);
      if (harmful.length > 0) continue;
    }
    record(fixing, draft);
    return;
  }
}

interface Draft extends Proposal {
  html: string;
}

/** Everything that the rules ask for, as far as it can be done, round by round. */
function* draftOf(original: Mail, strengthOf: StrengthOf, keepsColors: boolean): Generator<undefined, Draft> {
  const draft: Draft = { html: original.html, retouches: [], left: [] };
  const done = new Set<string>();
  let mail = original;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    draft.left = [];
    const count = draft.retouches.length;
    for (const propose of [
      proposeSizes,
      proposeLines,
      proposeAlignmentAndCase,
      (read: Mail) => (keepsColors ? { retouches: [], left: [] } : proposeContrasts(read, strengthOf)),
      proposeUnderlines,
    ]) {
      const proposal = propose(mail);
      draft.left.push(...proposal.left);
      const added = proposal.retouches.filter((retouch) => isNew(done, retouch, draft));
      draft.retouches.push(...added);
      if (added.length === 0) continue;
      draft.html = retouched(original, draft.retouches);
      mail = readMail(draft.html);
      // Attributes alone change no structure, but for formatting elements that the parser repeats.
      if (mail.elements.length !== original.elements.length) return { html: original.html, retouches: [], left: [] };
      yield;
    }
    if (draft.retouches.length === count) break;
  }
  return draft;
}

/** What was done before and did not help is left. */
function isNew(done: Set<string>, { rule, at, change }: Retouch, { left }: Draft): boolean {
  const key = JSON.stringify([at, change]);
  if (done.has(key)) left.push({ rule, at, reason: 'Another style counts for more than the one that was set.' });
  const isFirst = !done.has(key);
  done.add(key);
  return isFirst;
}

function record(fixing: Fixing, { retouches, left }: Draft): void {
  const { mail } = fixing;
  const elementAt = (index: number): MailElement => mail.elements[index]!;
  const changes: ReadonlyMap<number, readonly Change[]> = changesByElement(retouches);
  const told = new Set<string>();
  for (const { at, rule, note } of retouches) {
    const key = `${at} ${rule}`;
    const attributes = attributesAfter(elementAt(at), changes.get(at)!);
    // Ground and border of one tag are one repair.
    if (!told.has(key)) fixing.set(elementAt(at), attributes, { rule, note, changesLook: true });
    told.add(key);
  }
  for (const { rule, at, reason } of left) fixing.leave(rule, elementAt(at), reason);
  if (mail.html.length > DARK_LENGTH_MAX) fixing.leave(COLOR_CONTRAST.id, mail.body, TOO_LONG);
}
