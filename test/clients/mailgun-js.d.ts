/** Its own declarations are not where its exports lead to. */
declare module 'mailgun.js';
