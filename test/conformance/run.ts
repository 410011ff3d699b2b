// `npm run conformance [-- --write]`: prints what the service answers of both lists; ends with 1 when something that
// stands is wrong. `--write` renews docs/conformance.md.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startBed } from './bed.ts';
import { documentOf, isWrong, textOf } from './report.ts';
import { walk } from './walk.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
await using bed = await startBed();
const lists = await walk(bed);
console.log(textOf(lists));
if (values.write) writeFileSync(join(import.meta.dirname, '../../docs/conformance.md'), documentOf(lists));
if (isWrong(lists)) process.exitCode = 1;
