// What somebody wrote in a reply: without what they quote, and without their signature. After the rules of talon
// (Mailgun, Apache-2.0), in a time that is linear in the message.
export { stripHtml } from './html.ts';
export { stripText } from './text.ts';
