// A message compiled once and filled for each recipient; pure.
export { compileMail, type CompiledMail } from './compile.ts';
export { compileWhole } from './compile-whole.ts';
export { fillMail, reviveMail, signMail, type SignedMail } from './fill.ts';
export { hasUnsubscribeHole, type Filling } from './holes.ts';
export { withFooter, type Footers, type Tracking } from './tracked-links.ts';
