/** The command line is wrong; the message says what is right. Exit code 2. */
export class UsageError extends Error {}
