// Warming an address up: stages, what may leave in an hour, what follows from a stage, and when it is warm; pure.
export { decide, isBroken, type Signal, type StageCounts, type Verdict } from './decide.ts';
export { forecastOf } from './forecast.ts';
export { faultOfPlan, planTo, spanOf, STAGE_MS, TARGET_DEFAULT } from './plan.ts';
export { PUBLISHED_SCHEDULE } from './published.ts';
export { isAboutReputation, REPUTATION_PATTERN } from './reputation.ts';
export { giveBack, openThrottle, takeFrom, throttleAt, type Throttle } from './throttle.ts';
