// Messages in and out of their wire form (RFC 5322, MIME); pure.
export { readText, type DeclaredText, type ReadText } from './charset.ts';
export { composeMessage, isOwnField, newMessageId, type Attachment, type Composed, type InlineContent, type OutgoingMessage } from './compose-message.ts';
export { composeMime, type MessageToCompose } from './compose-mime.ts';
export { decodeBytes, decodeHtml, decodeText, type DecodedHtml, type EncodedHtml, type TransferEncoding } from './decode-html.ts';
export { parseMime, type InlinePart, type LocatedPart, type MailAddress, type ParsedMail, type ParseLimits } from './parse-mime.ts';
export type { Decoded } from './transfer-encoding.ts';
export { receivedField, type Receipt } from './trace-field.ts';
