// Messages in and out of their wire form (RFC 5322, MIME); pure.
export { readText, type DeclaredText, type ReadText } from './charset.ts';
export { composeMessage, isOwnField, newMessageId, type Attachment, type Composed, type InlineContent, type OutgoingMessage } from './compose-message.ts';
export { composeMime, type MessageToCompose } from './compose-mime.ts';
export { decodeHtml, type DecodedHtml, type EncodedHtml, type TransferEncoding } from './decode-html.ts';
export { parseMime, type InlinePart, type LocatedPart, type MailAddress, type ParsedMail, type ParseLimits } from './parse-mime.ts';
export { receivedField, type Receipt } from './trace-field.ts';
