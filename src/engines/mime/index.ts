// Messages in and out of their wire form (RFC 5322, MIME); pure.
export { canonicalAddress, destinationOf, isMailAddress, parseAddressList } from './address-list.ts';
export { readText } from './charset.ts';
export { composeMessage, isOwnField, newMessageId, type OutgoingMessage } from './compose-message.ts';
export { composeMime } from './compose-mime.ts';
export { timeOfDateField } from './date-field.ts';
export { decodeBytes, decodeHtml, decodeText, type DecodedHtml, type EncodedHtml } from './decode-html.ts';
export { decodeWords } from './encoded-words.ts';
export { headerField, LINE_LENGTH_MAX } from './header-field.ts';
export {
  parseMime,
  parseMimeStream,
  readAttachments,
  type InlinePart,
  type LocatedPart,
  type MailAddress,
  type ParsedMail,
} from './parse-mime.ts';
export { replaceFields } from './replace-fields.ts';
export { receivedField } from './trace-field.ts';
export { decodeBase64, decodeQuotedPrintable, type Decoded } from './transfer-encoding.ts';
