/** A page of the dashboard, or a part of one, could not be loaded. */
export class NotLoadedError extends Error {
  /** The service answered, and the part is not to be had: it was updated, or the browser keeps an earlier failure. */
  readonly isAnswered: boolean;

  constructor(cause: unknown, { isAnswered = false } = {}) {
    super('A page could not be loaded.', { cause });
    this.name = 'NotLoadedError';
    this.isAnswered = isAnswered;
  }
}
