// How much an inbox holds.

export const MESSAGES = { min: 1, max: 5000, default: 1000 };
export const RETENTION_DAYS = { min: 1, max: 90, default: 14 };
/** Of the messages of one inbox together. */
export const INBOX_BYTES_MAX = 512 * 1024 * 1024;
/** Of one message. */
export const MESSAGE_BYTES_MAX = 25 * 1024 * 1024;
/** Of what is shown of a message beside its source. */
export const SHOWN_LENGTH_MAX = 5 * 1024 * 1024;
