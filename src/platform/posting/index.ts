// JSON posted to URLs that customers give: which are allowed, one attempt, and when the next one is due.
export { attempt, type Attempt } from './post.ts';
export { isSuccess, NOT_WANTED, stateAfter } from './retries.ts';
export { readTarget } from './target.ts';
