// A published schedule for new addresses: what stages are made of when nobody says otherwise.

/** Messages an hour, by days since the address began. */
const HOURLY = [
  20, 28, 39, 55, 77, 108, 151, 211, 295, 413, 579, 810, 1000, 1587, 2222, 3111, 4356, 6098, 8583, 11_953, 16_734,
  23_427, 32_798, 45_917, 64_284, 89_998, 125_997, 176_395, 246_953, 345_735, 484_029, 677_640, 948_696, 1_328_175,
  1_859_444,
];

const HOURS_A_DAY = 24;

/** Where the schedule is from. */
export const PUBLISHED_SCHEDULE = {
  name: 'Automated IP warmup hourly send schedule',
  publisher: 'Twilio SendGrid',
  url: 'https://www.twilio.com/docs/sendgrid/ui/sending-email/warming-up-an-ip-address',
  /** When the table was read. */
  readOn: '2026-11-23',
} as const;

/** Messages a day, each two fifths more than the day before. */
export const PUBLISHED_VOLUMES: readonly number[] = HOURLY.map((hourly) => hourly * HOURS_A_DAY);
