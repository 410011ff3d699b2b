/** By which the bytes of a message are held; see `_message`. */
export const holderOf = (messageId: string): string => `sandbox/${messageId}`;
