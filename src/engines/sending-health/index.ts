// How healthy sending is, from what became of messages.
export { measureOf, NO_COUNTS, sentOf, type Counts } from './outcomes.ts';
export { COMPONENTS, healthOf, type ComponentName, type Health } from './score.ts';
