import { forecastOf, spanOf, throttleAt, type Verdict } from '../../../engines/ip-warmup/index.ts';
import type { Warmup, WarmupDecision } from './store.ts';

const iso = (date: Date): string => date.toISOString();

/** Whole percent; the last one only when all has left. */
const percent = (part: number, of: number): string => `${Math.floor((part * 100) / of)}%`;

/** A warm-up as lists show it. */
export function itemView(warmup: Warmup, now: Date) {
  const { ip, sentInStage, stage, sentBefore, stageStartedAt } = warmup;
  return {
    ip,
    sent_within_stage: percent(sentInStage, spanOf(warmup).volume),
    throttle: throttleAt(warmup, { stage: spanOf(warmup), now }).hourlyLimit,
    stage_number: stage,
    stage_start_volume: Number(sentBefore),
    stage_start_time: iso(stageStartedAt),
    stage_volume_limit: spanOf(warmup).volume,
  };
}

/** One, with the stages that ended: newest first. */
export function detailsView(warmup: Warmup, { decisions, now }: { decisions: readonly WarmupDecision[]; now: Date }) {
  const item = itemView(warmup, now);
  const { hourlyLimit, hourStartedAt } = throttleAt(warmup, { stage: spanOf(warmup), now });
  return {
    ...item,
    start_volume: item.stage_start_volume,
    stage: item.stage_number,
    stage_limit: item.stage_volume_limit,
    hourly_limit: hourlyLimit,
    stage_started_at: item.stage_start_time,
    hour_started_at: iso(hourStartedAt),
    plan_started_at: iso(warmup.startedAt),
    plan_last_updated_at: iso(warmup.updatedAt),
    total_stages: warmup.volumes.length,
    stage_history: decisions
      .map(({ startedAt, endedAt, volume }) => ({
        first_updated_at: iso(startedAt),
        completed_at: iso(endedAt),
        limit: volume,
      }))
      .reverse(),
  };
}

/** One with its plan; `verdicts` of its latest stages, oldest first. */
export function planView(warmup: Warmup, { verdicts, now }: { verdicts: readonly Verdict[]; now: Date }) {
  const { ip, warmAt, startedAt, stage, volumes, stageStartedAt, sentInStage } = warmup;
  const { endsAt } = spanOf(warmup);
  const { hourlyLimit, sentInHour } = throttleAt(warmup, { stage: spanOf(warmup), now });
  const forecast = forecastOf({ stage, stages: volumes.length, stageEndsAt: endsAt, verdicts });
  return {
    ip,
    state: warmAt ? ('warm' as const) : ('warming' as const),
    warm_at: warmAt && iso(warmAt),
    started_at: iso(startedAt),
    stage,
    stages: volumes,
    stage_started_at: iso(stageStartedAt),
    is_resting: now < stageStartedAt,
    stage_ends_at: iso(endsAt),
    sent: sentInStage,
    hourly_limit: hourlyLimit,
    sent_in_hour: sentInHour,
    forecast: warmAt
      ? null
      : {
          warm_at: forecast.warmAt && iso(forecast.warmAt),
          earliest_at: iso(forecast.earliestAt),
          rate: forecast.rate,
          decisions: forecast.decisions,
        },
  };
}

export const decisionView = (decision: WarmupDecision) => ({
  stage: decision.stage,
  volume: decision.volume,
  started_at: iso(decision.startedAt),
  ended_at: iso(decision.endedAt),
  sent: decision.sent,
  verdict: decision.verdict,
  next_stage: decision.nextStage,
  why: decision.why,
  is_bound: decision.isBound,
  signals: decision.signals,
});
