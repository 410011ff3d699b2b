// What SpamAssassin and Rspamd say of messages, as the machine's packages install them, without the network; kept in a
// file.
import { appendFile, readFile } from 'node:fs/promises';
import { aboutContent } from '../../src/features/proof/_seeds/stand-in-filters.ts';
import { createSpamFilters, type FilterOutcome } from '../../src/platform/spam-filters/index.ts';
import { rspamdAbsence, startRspamd } from '../../test/harness/rspamd.ts';
import { spamdAbsence, startSpamd } from '../../test/harness/spamd.ts';
import type { CorpusMail } from './read-corpus.ts';

export interface Said {
  score: number;
  isSpam: boolean;
  version: string | null;
}

type Asked = Map<string, Said>;

/**
 * Rules that compare the message with today or ask DNS: neither is a statement about mail of other years without a
 * network.
 */
const NOT_OF_THE_MESSAGE =
  /^(?:DATE_IN_PAST|HFILTER_|R_SPF_|R_DKIM_|DMARC_|ARC_|AUTH_NA|RDNS_|FROMHOST_|MISSING_MX|DKIM_|RBL_|ASN|RCVD_ILLEGAL_IP)/;
/** By Rspamd's defaults mail is marked as spam from here on; it refuses at 15. */
const RSPAMD_SPAM = 6;
const LIMITS = { timeoutMs: 120_000, connectTimeoutMs: 20_000 };

export const keyOf = (engine: string, { digest }: CorpusMail): string => `${engine} ${digest}`;

/** Answers that a file keeps, one JSON object a line. */
export async function readAsked(path: string): Promise<Asked> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as [string, Said]),
  );
}

/** Filters judge only the content of a template: its sender is a stand-in, as in a spam test. */
function saidOf(given: Extract<FilterOutcome, { ok: true }>, { corpus }: CorpusMail): Said {
  const outcome = corpus.kind === 'html' ? (aboutContent(given) as typeof given) : given;
  const { engine, version } = outcome;
  if (engine !== 'rspamd') return { score: outcome.score, isSpam: outcome.verdict === 'spam', version };
  const removed = outcome.rules.reduce(
    (sum, { name, points }) => sum + (NOT_OF_THE_MESSAGE.test(name) ? points : 0),
    0,
  );
  const score = Math.round((outcome.score - removed) * 100) / 100;
  return { score, isSpam: score >= RSPAMD_SPAM, version };
}

const ENGINES = [
  ['spamassassin', spamdAbsence, startSpamd],
  ['rspamd', rspamdAbsence, startRspamd],
] as const;
const AT_ONCE = 2;

/** Asks both about each message that was not asked about before, and writes the answers down at once. */
export async function askFilters(mails: readonly CorpusMail[], path: string): Promise<Asked> {
  const asked = await readAsked(path);
  await Promise.all(
    ENGINES.map(async ([engine, absence, start]) => {
      const open = mails.filter((mail) => !asked.has(keyOf(engine, mail)));
      if (open.length === 0) return;
      if (absence) throw new Error(`${absence}; install it, or measure without --ask.`);
      const daemon = await start();
      const [filter] = createSpamFilters({
        ...('url' in daemon ? { rspamd: daemon.url } : { spamd: daemon.address }),
        limits: LIMITS,
      });
      const askNext = async (): Promise<void> => {
        for (let mail = open.shift(); mail; mail = open.shift()) {
          const outcome = await filter!.check(mail.raw, mail.envelope);
          if (!outcome.ok) {
            process.stderr.write(`${engine}: ${mail.name}: ${outcome.message}\n`);
            continue;
          }
          const said = saidOf(outcome, mail);
          asked.set(keyOf(engine, mail), said);
          await appendFile(path, `${JSON.stringify([keyOf(engine, mail), said])}\n`);
        }
      };
      try {
        await Promise.all(Array.from({ length: AT_ONCE }, askNext));
      } finally {
        await daemon.close();
      }
    }),
  );
  return asked;
}
