// The checks of one email, each by the inspection that it belongs to, side by side and apart from each other.
import { audiences, defaultAudience, scoreFor, unpackAnalysis } from '../../../engines/code-analysis/index.ts';
import type { Finding } from '../../../engines/findings/index.ts';
import {
  hasUnanswered,
  picturesBeside,
  screenshotFindings,
  withoutNetwork,
  type CheckRun,
  type Comparison,
  type Measures,
  type Policy,
} from '../../../engines/gate/index.ts';
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { hasNetwork } from '../../../platform/network/index.ts';
import { accessibilityTests } from '../accessibility/index.ts';
import { codeAnalyses } from '../code-analysis/index.ts';
import { htmlOf, type StoredSource } from '../_message/index.ts';
import { allFindings, checkImages, type CheckedImages } from '../images/index.ts';
import type { Run } from '../_inspections/index.ts';
import { linkTests } from '../links/index.ts';
import { compareScreenshots, type ImageFile, type PictureDoors } from './screenshots.ts';

export interface GateInput {
  source: StoredSource;
  /** A file's own pictures, which its relative addresses mean; links mean nothing by them. */
  beside?: { baseUrl: string; has(address: string): boolean };
  /** Of HTML, which carries none. */
  subject?: string;
  checks: string[];
  policy: Policy;
  /** Whose screenshots are taken. */
  clients: string[];
}

/** What the checks came to, before anybody judges it. */
export interface GateRun {
  runs: CheckRun[];
  measures: Measures;
  screenshots: Comparison[];
}

interface Checked {
  findings: readonly Finding[];
  measures?: Measures;
  screenshots?: Comparison[];
}

type Turn = Run & {
  doors: PictureDoors;
  /** Where several gates share the browsers: pictures of one after the other, so that each has all its time. */
  inTurn?: <Result>(work: () => Promise<Result>) => Promise<Result>;
};
type Runner = (outside: Outside, input: GateInput, turn: Turn) => Promise<Checked>;

const CHECK_TIMEOUT_MS = 180_000;
const CHECKS_AT_ONCE = 3;

/** The shared machine's runs are read through the signal as well; a check that does not listen to it is left behind. */
async function inTime<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const late = new Promise<never>((_resolve, reject) => {
    const stop = (): void =>
      reject(
        signal.reason?.name === 'TimeoutError'
          ? new Error(`It took more than ${CHECK_TIMEOUT_MS / 1000} seconds.`)
          : signal.reason,
      );
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, late]);
}

/** Findings that a cut-off machine would be wrong about are told as unknown. */
async function knownOnly(
  { config }: Pick<Outside, 'config'>,
  findings: readonly Finding[],
  isAnswered: boolean,
): Promise<readonly Finding[]> {
  if (isAnswered || !hasUnanswered(findings) || (await hasNetwork(config.dns.servers))) return findings;
  return withoutNetwork(findings);
}

/** The email where its pictures lie. */
function pictured({ source, beside }: GateInput): StoredSource {
  return beside ? { ...source, url: beside.baseUrl } : source;
}

function toldBeside(findings: readonly Finding[], { beside }: GateInput): readonly Finding[] {
  return beside ? picturesBeside(findings, beside.has) : findings;
}

/** What is an image by its bytes, by its address as written; one that is written into the message is there already. */
function imageFiles({ subjects, bytes }: CheckedImages): ImageFile[] {
  return subjects.flatMap(({ url, facts }, index) => {
    const body = bytes[index];
    return body && facts?.format && !/^data:/i.test(url) ? [{ url, body, format: facts.format }] : [];
  });
}

const RUNNERS: Record<string, Runner> = {
  screenshots,
  async code(outside, input, run) {
    const { source, subject } = input;
    const { result, findings } = await codeAnalyses.inspect(
      outside,
      { ...source, ...(subject !== undefined && { subject }) },
      run,
    );
    const analysis = unpackAnalysis(result.analysis);
    const scores = Object.fromEntries(audiences.map((audience) => [audience.id, scoreFor(analysis, audience).overall]));
    return {
      findings: toldBeside(findings, input),
      measures: { scores: { ...scores, '': scores[defaultAudience.id] ?? 0 } },
    };
  },
  async links(outside, { source }, run) {
    const { result, findings } = await linkTests.inspect(outside, source, run);
    return {
      findings: await knownOnly(
        outside,
        findings,
        result.results.some((link) => link.status_code !== undefined),
      ),
    };
  },
  async images(outside, input, run) {
    const checked = await checkImages(outside, pictured(input), { signal: run.signal });
    const { totalBytes } = checked;
    await run.doors.keepImages?.(imageFiles(checked));
    return {
      findings: toldBeside(await knownOnly(outside, allFindings(checked), false), input),
      measures: { imageBytes: totalBytes },
    };
  },
  async accessibility(outside, input, run) {
    return { findings: (await accessibilityTests.inspect(outside, pictured(input), run)).findings };
  },
};

async function measure({ compute }: Pick<Outside, 'compute'>, source: StoredSource): Promise<Measures> {
  const { html, kind, rawBytes } = await compute.run(htmlOf, source);
  return { htmlBytes: Buffer.byteLength(html), ...(kind === 'mime' && { messageBytes: rawBytes }) };
}

type Outcome = (Checked | { error: string }) & { durationMs: number };

/** What a check found, or why it could not run; a run that is called off throws. */
async function runCheck(
  outside: Outside,
  input: GateInput,
  { check, run }: { check: string; run: Turn },
): Promise<Outcome> {
  const started = performance.now();
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]);
  const runner = RUNNERS[check];
  if (!runner) throw new Error(`No check of the gate is named ${check}.`);
  const outcome = await inTime(signal, runner(outside, input, { ...run, signal })).catch((error: unknown) => {
    run.signal.throwIfAborted();
    outside.log.error({ err: error, check }, 'a check of a gate could not run');
    return { error: messageOf(error) };
  });
  return { ...outcome, durationMs: Math.round(performance.now() - started) };
}

/** Runs the checks that are wanted. A check that throws is an error of that check, never of the gate. */
export async function runChecks(outside: Outside, input: GateInput, run: Turn): Promise<GateRun> {
  const found = new Map<string, Outcome>();
  const waiting = input.checks.values();
  const { inTurn = (work) => work() } = run;
  const work = async (): Promise<void> => {
    for (const check of waiting) {
      const one = (): Promise<Outcome> => runCheck(outside, input, { check, run });
      found.set(check, await (check === 'screenshots' ? inTurn(one) : one()));
    }
  };
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, work));
  const inOrder = input.checks.map((check) => ({
    check,
    outcome: found.get(check) ?? { error: 'It was not run.', durationMs: 0 },
  }));
  const checked = inOrder.flatMap(({ outcome }) => ('error' in outcome ? [] : [outcome]));
  return {
    runs: inOrder.map(({ check, outcome }) => ({
      check,
      durationMs: outcome.durationMs,
      ...('error' in outcome ? { findings: [], error: outcome.error } : { findings: outcome.findings }),
    })),
    measures: Object.assign(
      await measure(outside, input.source),
      ...checked.map(({ measures = {} }) => measures),
    ) as Measures,
    screenshots: checked.flatMap((one) => one.screenshots ?? []),
  };
}

async function screenshots(outside: Outside, input: GateInput, { id, signal, doors }: Turn): Promise<Checked> {
  const { subject, clients, policy } = input;
  const compared = await compareScreenshots(
    outside,
    { source: pictured(input), subject: subject ?? '', clients, policy: policy.screenshots },
    { scope: id, signal, doors },
  );
  return { findings: screenshotFindings(compared, policy.screenshots), screenshots: compared };
}
