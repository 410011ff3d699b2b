// docs/fidelity.md, and its table in the README.
import { FAMILIES } from './families.ts';
import { FIRST_RUN, type RunRecord } from './first-run.ts';
import { REASONS } from './reasons.ts';
import { CLAIMS } from './rows/index.ts';
import { SOURCES } from './sources.ts';
import { isDark, percent, type Count } from './table.ts';
import { MEASURE_CHANGES, WITHDRAWN } from './withdrawn.ts';

const sum = (families: RunRecord['families']): Count =>
  Object.values(families).reduce((all, one) => ({ claims: all.claims + one.claims, hits: all.hits + one.hits }), {
    claims: 0,
    hits: 0,
  });

const cellOf = (count: Count): string => `${count.hits} of ${count.claims} (${percent(count)})`;

/** Hits by family, first and today. */
export function tableOf(run: RunRecord): string {
  const rows = Object.keys(FAMILIES).map(
    (family) => `| ${family} | ${cellOf(FIRST_RUN.families[family]!)} | ${cellOf(run.families[family]!)} |`,
  );
  return [
    '| Clients | First run | Now |',
    '|---|---|---|',
    ...rows,
    `| **All** | ${cellOf(sum(FIRST_RUN.families))} | ${cellOf(sum(run.families))} |`,
  ].join('\n');
}

function missesOf(run: RunRecord): string {
  const claims = new Map(CLAIMS.map((claim) => [claim.id, claim]));
  return run.misses
    .map(({ claim: id, family, misses }) => {
      const claim = claims.get(id)!;
      const { what, url, date } = SOURCES[claim.source];
      const shown = [...new Set(Object.values(misses))].join('; ');
      return `- **${family}: ${claim.says}** ([${what}](${url}), ${date}). Here ${shown}. ${REASONS[id] ?? ''}`.trimEnd();
    })
    .join('\n');
}

/** The whole document. */
export function documentOf(run: RunRecord): string {
  const used = [...new Set(CLAIMS.map(({ source }) => source))].map((name) => SOURCES[name]);
  const sources = used.map(
    ({ what, url, date, version, strength }) => `| [${what}](${url}) | ${date} | ${version ?? ''} | ${strength} |`,
  );
  const withdrawn = WITHDRAWN.map(({ id, says, because, source }) => `- \`${id}\`: ${says} ${because} (${source})`);
  const ruler = MEASURE_CHANGES.map(({ date, what, because }) => `- ${date}: ${what} ${because}`);
  return `# How true the pictures are

Written by \`npm run fidelity -- --write\`; not edited by hand. The claims and how they are measured: [test/claims](../test/claims/README.md).

${CLAIMS.length} behaviors of email clients that are published elsewhere, each a message, the clients that it is about and what their
picture must show; ${CLAIMS.filter(isDark).length} are about dark mode. None is taken from the table that the emulation is built on. A claim about several
families counts in each. Everything is drawn by Chromium, also for clients whose own engine can be installed. Last
measured: ${run.date}; the first run, of ${FIRST_RUN.date}, was before anything was changed for the claims.

A hit says that the picture shows what the source says, no more: sources can be wrong or old, and what nobody published
is in no figure.

${tableOf(run)}

## Misses

${missesOf(run) || 'None.'}

## Withdrawn and corrected claims

${withdrawn.join('\n') || 'None.'}

## Changes of the measuring

${ruler.join('\n') || 'None.'}

## Sources

| Source | Date | Client's version | Strength |
|---|---|---|---|
${sources.join('\n')}
`;
}
