// The checks of one email, each by the inspection that it belongs to, side by side and apart from each other.
import {
  screenshotFindings,
  type CheckRun,
  type Comparison,
  type Measures,
  type Policy,
} from '../../../engines/gate/index.ts';
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { htmlOf, type StoredSource } from '../_message/index.ts';
import {
  inspectionKinds,
  pictured,
  type CheckDoors,
  type Checked,
  type GatedEmail,
  type Run,
} from '../_inspections/index.ts';
import { compareScreenshots, type PictureDoors } from './screenshots.ts';

export interface GateInput extends GatedEmail {
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

type CheckedHere = Checked & { screenshots?: Comparison[] };

/** What the checks use, and the list of them. */
export type GateDoors = CheckDoors & Pick<Outside, 'lists'>;

type Turn = Run & {
  doors: PictureDoors;
  /** For gates that share browsers: takes screenshots one gate after the other, so that each gets its full time. */
  inTurn?: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

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

/** Each check by the kind that declares it. */
async function check(outside: GateDoors, input: GateInput, { check: name, ...turn }: Turn & { check: string }) {
  if (name === 'screenshots') return screenshots(outside, input, turn);
  const kind = outside.lists.of(inspectionKinds).find(({ gate }) => gate?.check === name);
  if (!kind) throw new Error(`No kind of inspection has a check named ${name}.`);
  const { doors, ...run } = turn;
  return kind.runInGate(outside, input, { ...run, ...(doors.keepImages && { keepImages: doors.keepImages }) });
}

async function measure({ compute }: Pick<Outside, 'compute'>, source: StoredSource): Promise<Measures> {
  const { html, kind, rawBytes } = await compute.run(htmlOf, source);
  return { htmlBytes: Buffer.byteLength(html), ...(kind === 'mime' && { messageBytes: rawBytes }) };
}

type Outcome = (CheckedHere | { error: string }) & { durationMs: number };

/** What a check found, or why it could not run; a run that is called off throws. */
async function runCheck(
  outside: GateDoors,
  input: GateInput,
  { check: name, run }: { check: string; run: Turn },
): Promise<Outcome> {
  const started = performance.now();
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]);
  const outcome: CheckedHere | { error: string } = await inTime(
    signal,
    check(outside, input, { ...run, signal, check: name }),
  ).catch((error: unknown) => {
    run.signal.throwIfAborted();
    outside.log.error({ err: error, check: name }, 'a check of a gate could not run');
    return { error: messageOf(error) };
  });
  return { ...outcome, durationMs: Math.round(performance.now() - started) };
}

/** Runs the checks that are wanted. A check that throws is an error of that check, never of the gate. */
export async function runChecks(outside: GateDoors, input: GateInput, run: Turn): Promise<GateRun> {
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

async function screenshots(
  outside: Pick<Outside, 'config' | 'fetch' | 'browser' | 'compute'>,
  input: GateInput,
  { id, signal, doors }: Turn,
): Promise<CheckedHere> {
  const { subject, clients, policy } = input;
  const compared = await compareScreenshots(
    outside,
    { source: pictured(input), subject: subject ?? '', clients, policy: policy.screenshots },
    { scope: id, signal, doors },
  );
  return { findings: screenshotFindings(compared, policy.screenshots), screenshots: compared };
}
