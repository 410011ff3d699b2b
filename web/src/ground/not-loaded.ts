/** A page of the dashboard could not be loaded. */
export class NotLoadedError extends Error {
  constructor(cause: unknown) {
    super('A page could not be loaded.', { cause });
    this.name = 'NotLoadedError';
  }
}
