// The limits between bands: what receivers and senders publish, and what is Galley's own choice.

/** `new`: too little is known of the domain yet. */
export type Band = 'good' | 'poor' | 'new';
export const BANDS: readonly Band[] = ['good', 'poor', 'new'];

/** Days that a domain is judged by. */
export const WINDOW_DAYS = 7;
/** Below so many messages that came to an end, rates say little. Galley's choice. */
export const PROCESSED_MIN = 500;
/** A domain becomes good when it had mail on so many days of the window: one campaign is no habit. Galley's choice. */
export const GOOD_DAYS_MIN = 3;
/** So long a domain stays poor at least: the window holds nothing of before then. */
export const POOR_DAYS_MIN = WINDOW_DAYS;

/** Between its two limits a rate moves nothing: that keeps a domain from going to and fro. */
export interface RateLimits {
  /** In sentences. */
  title: string;
  /** What the share is of. */
  of: string;
  /** A share from 0 to 1, not included. */
  goodBelow: number;
  /** Included. */
  poorFrom: number;
  /** Whose limit `poorFrom` is, as the end of a sentence. */
  rule: string;
  /** Where it is published, and when it said so. */
  sources: readonly { name: string; url: string; asOf: string }[];
}

/** Google and Yahoo ask for less than 0.1 % (Google) and for never 0.3 % (both). */
export const COMPLAINTS: RateLimits = {
  title: 'Complaints',
  of: 'delivered',
  goodBelow: 0.001,
  poorFrom: 0.003,
  rule: 'Google and Yahoo ask senders never to reach 0.3 %',
  sources: [
    { name: 'Google, Email sender guidelines', url: 'https://support.google.com/a/answer/81126', asOf: '2024-02' },
    { name: 'Yahoo, Sender best practices', url: 'https://senders.yahooinc.com/best-practices/', asOf: '2024-02' },
  ],
};

/** Amazon SES reviews accounts from 5 % on. That a domain is good below 2 % is Galley's choice. */
export const BOUNCES: RateLimits = {
  title: 'Hard bounces',
  of: 'sent',
  goodBelow: 0.02,
  poorFrom: 0.05,
  rule: 'Amazon SES reviews senders from 5 % on',
  sources: [
    {
      name: 'Amazon SES, Sending review process FAQs',
      url: 'https://docs.aws.amazon.com/ses/latest/dg/faqs-enforcement.html',
      asOf: '2025',
    },
  ],
};
