// Warming an address up: stages, what may leave in an hour, what follows from a stage, and when it is warm; pure.
export {
  decide,
  isBroken,
  percentText,
  SIGNAL_LIMITS,
  type Decision,
  type Signal,
  type StageCounts,
  type Verdict,
} from './decide.ts';
export { forecastOf, type Forecast } from './forecast.ts';
export { faultOfPlan, planTo, STAGE_MS, STAGES_MAX, TARGET_DEFAULT, VOLUME_MAX } from './plan.ts';
export { PUBLISHED_SCHEDULE } from './published.ts';
export { isAboutReputation, REPUTATION_PATTERN } from './reputation.ts';
export { giveBack, openThrottle, takeFrom, throttleAt, type Throttle } from './throttle.ts';
