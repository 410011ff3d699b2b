// The one source of the current time, so that retention and expiry can be tested.

export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
