import { readReport, type Report } from '../../../engines/bounces/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';

const here = import.meta.url;

/** What a message that came back says. */
export const readReturned = defineComputation(here, 'readReturned', (raw: Uint8Array): Report => readReport(raw));
