import type { Finding } from '../../../engines/findings/index.ts';
import { countsOf, type EmailReport } from '../../../engines/reports/index.ts';
import {
  judgeGate,
  type CheckRun,
  type Comparison,
  type GateRules,
  type Judged,
  type Measures,
  type Policy,
} from '../../../engines/gate/index.ts';
import { thumbnailsOf } from '../../../platform/browser/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { keepFile, newFolder } from '../images/index.ts';
import { defineInspection, type Inspection, type Run } from '../_inspections/index.ts';
import { baselineKey, pictureKey } from './objects.ts';
import { gateEnded, gateFailed } from './facts.ts';
import { runChecks, type GateDoors, type GateInput } from './run-checks.ts';
import { rulesOf } from './rules.ts';
import type { PictureDoors } from './screenshots.ts';
import { listPictures } from './store.ts';

export interface StoredGateInput extends GateInput {
  accountId: string;
  /** What lists call it; left out in what was stored before names. */
  name?: string;
  /** What reports call the email: its path, or its URL. */
  email: string;
  /** Name of the approved pictures. */
  baseline: string | null;
}

/** The stored result, without findings: these are stored apart, check after check. */
export interface GateResult {
  email: string;
  baseline: string | null;
  policy: Policy;
  /** The day that the policy was applied on. */
  today: string;
  runs: { check: string; findingCount: number; error?: string; durationMs?: number }[];
  measures: Measures;
  screenshots: Comparison[];
  /** The images of the message as they were, by their addresses as written. */
  images?: { folder: string; files: { url: string; file: string }[] };
}

const TIMEOUT_MS = 420_000;

async function doorsTo(
  outside: Pick<Outside, 'db' | 'blobs'>,
  { accountId, baseline }: StoredGateInput,
  run: Run,
): Promise<PictureDoors & { images: NonNullable<GateResult['images']> }> {
  const { db, blobs } = outside;
  const approved = new Map(
    baseline === null
      ? []
      : (await listPictures(db, accountId, baseline)).map((picture) => [picture.clientId, picture]),
  );
  const folder = newFolder(run.id);
  const files: { url: string; file: string }[] = [];
  return {
    images: { folder: folder.name, files },
    async keepImages(found) {
      for (const { url, ...file } of found) files.push({ url, file: await keepFile(outside, folder, file) });
    },
    async baselineOf(clientId) {
      const picture = approved.get(clientId);
      const png = picture && (await blobs.get(baselineKey(picture.objectPrefix)));
      return picture && png ? { png, engine: picture.engine } : undefined;
    },
    async save(clientId, which, { png }) {
      await blobs.put(pictureKey(run, clientId, { which }), png, 'image/png');
      // The approved screenshot has its own thumbnail.
      if (which !== 'baseline')
        await blobs.put(
          pictureKey(run, clientId, { which, size: 'thumbnail' }),
          (await thumbnailsOf(png)).fullThumbnail,
          'image/jpeg',
        );
    },
  };
}

function runsOf({ runs }: Pick<GateResult, 'runs'>, findings: readonly Finding[]): CheckRun[] {
  let at = 0;
  return runs.map(({ findingCount, ...run }) => ({ ...run, findings: findings.slice(at, (at += findingCount)) }));
}

/** The verdict over what is stored: the same findings, policy and day come to the same one. */
export function judgedOf(
  result: GateResult,
  { findings, rules }: { findings: readonly Finding[]; rules: GateRules },
): Judged {
  return judgeGate(runsOf(result, findings), { ...result, rules });
}

/** A gate that is complete as a report. */
export function emailReport(
  { result, findings }: Pick<Inspection<GateResult>, 'findings'> & { result: GateResult },
  rules: GateRules,
): EmailReport {
  const { verdict, checks } = judgedOf(result, { findings, rules });
  return { email: result.email, verdict, checks };
}

const RULES_MAX = 20;

/** The rules that fail the email, each once. */
function failingRules(checks: Judged['checks']): string[] {
  const failing = checks.flatMap(({ findings }) => findings.filter(({ fails }) => fails));
  return [...new Set(failing.map(({ rule }) => rule))].slice(0, RULES_MAX);
}

/** All checks of an email and one verdict by a policy. */
export const gates = defineInspection<StoredGateInput, GateResult, keyof GateDoors | 'db' | 'blobs'>({
  kind: 'gate',
  noun: 'gate',
  lane: 'render',
  timeoutMs: TIMEOUT_MS,
  nameOf: ({ name = '' }) => name,
  async inspect(outside, input, run) {
    const doors = await doorsTo(outside, input, run);
    const { runs, measures, screenshots } = await runChecks(outside, input, { ...run, doors });
    const findings = runs.flatMap((one) => one.findings);
    const { email, baseline, policy } = input;
    const today = outside.clock.now().toISOString().slice(0, 10);
    const result: GateResult = {
      email,
      baseline,
      policy,
      today,
      measures,
      screenshots,
      images: doors.images,
      runs: runs.map(({ findings: found, ...kept }) => ({ ...kept, findingCount: found.length })),
    };
    const { verdict, checks } = judgedOf(result, { findings, rules: rulesOf(outside) });
    return {
      result,
      findings,
      summary: {
        email,
        verdict: verdict.passed ? 'pass' : 'fail',
        reasons: verdict.reasons.slice(0, 20),
        counts: countsOf(checks),
        rules: failingRules(checks),
      },
    };
  },
  async tell(outside, tx, { id, accountId, outcome }) {
    const {
      verdict,
      email,
      reasons = [],
      rules = [],
    } = outcome.summary as { verdict?: 'pass' | 'fail'; email?: string; reasons?: string[]; rules?: string[] };
    const said =
      outcome.status === 'Failed'
        ? [outcome.error ?? 'No reason was kept.']
        : [...reasons, ...(rules.length > 0 ? [`Rules that failed: ${rules.join(', ')}.`] : [])];
    await outside.facts.tell(tx, gateEnded, {
      account: accountId,
      payload: { accountId, gateId: id, ...(email && { email }), verdict: verdict ?? 'unknown', reasons: said },
    });
    if (verdict === 'fail')
      await outside.facts.tell(tx, gateFailed, {
        account: accountId,
        payload: { accountId, gateId: id, email: email ?? '', reasons },
      });
  },
});
