// How much of subject and preview text each client's list of messages shows. Characters, measured by others on single
// devices: letters differ in width, and rows in size, so a row holds a few more or less.

export interface InboxClient {
  id: string;
  name: string;
  /** Characters of the subject. */
  subject: number;
  /** Characters of the preview; 0 where the list shows none. */
  preview: number;
  source: { what: string; url: string; date: string };
}

const READ = '2026-11-21';
const test = {
  what: 'Own test with one sentence on each device',
  url: 'https://www.emailtooltester.com/en/blog/email-subject-lines-character-limit/',
  date: READ,
};
const table = {
  what: 'Subject: typecount.com; preview: themarketer.com, table by client and device',
  url: 'https://themarketer.com/resources/knowledge-base/how-long-should-your-preview-texts-be',
  date: READ,
};
const mobile = {
  what: 'Subject: typecount.com; preview: inboxes of Android phones in general',
  url: 'https://typecount.com/blog/email-subject-line-length',
  date: READ,
};
const estimate = {
  what: "This project's estimate from the row's width; no published figure found",
  url: '',
  date: READ,
};

export const inboxClients: readonly InboxClient[] = [
  { id: 'apple-mail-iphone', name: 'Apple Mail, iPhone', subject: 48, preview: 99, source: test },
  { id: 'apple-mail-ipad', name: 'Apple Mail, iPad', subject: 39, preview: 87, source: table },
  { id: 'apple-mail-mac', name: 'Apple Mail, Mac', subject: 64, preview: 140, source: table },
  { id: 'gmail-web', name: 'Gmail, web', subject: 70, preview: 97, source: table },
  { id: 'gmail-android', name: 'Gmail, Android', subject: 40, preview: 40, source: mobile },
  { id: 'gmail-ios', name: 'Gmail, iPhone', subject: 40, preview: 90, source: table },
  { id: 'outlook-windows', name: 'Outlook for Windows (classic)', subject: 73, preview: 35, source: table },
  { id: 'outlook-web', name: 'Outlook on the web, new Outlook', subject: 60, preview: 100, source: estimate },
  { id: 'outlook-mobile', name: 'Outlook, iPhone and Android', subject: 38, preview: 55, source: table },
  { id: 'yahoo-web', name: 'Yahoo! Mail, web', subject: 46, preview: 75, source: estimate },
  { id: 'yahoo-mobile', name: 'Yahoo! Mail, phones', subject: 33, preview: 45, source: table },
  { id: 'aol-web', name: 'AOL, web', subject: 46, preview: 75, source: table },
  { id: 'samsung', name: 'Samsung Email', subject: 33, preview: 40, source: mobile },
  { id: 'thunderbird', name: 'Thunderbird', subject: 60, preview: 0, source: table },
];
