// What a careful sender looks after in a message; pure.
export { checkHygiene, checkPartCharsets } from './check-hygiene.ts';
export { summaryText } from './preheader.ts';
