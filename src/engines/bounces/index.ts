// What servers say of messages that they refused or could not deliver, and what recipients' providers say of complaints.
export { isHardBounce } from './hard-bounce.ts';
export { readReport, type Report } from './read-report.ts';
