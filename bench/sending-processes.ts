// How fast one, two and four processes hand messages over from one PostgreSQL, as ratios of the first. A server answers
// each message after 20 ms, as one that is a little away does; all messages go over the connections of one relay, of
// which each process has ten.
import { availableParallelism } from 'node:os';
import { load } from './measure.ts';
import { sendingProcessesRun } from '../test/harness/sending-processes.ts';

const CALLS = 5;
const ANSWER_MS = 20;

export async function run(): Promise<void> {
  let single = 0;
  for (const processes of [1, 2, 4]) {
    const { messages, ms, lost, twice } = await sendingProcessesRun({ processes, calls: CALLS, answerMs: ANSWER_MS });
    const rate = messages / (ms / 1000);
    single ||= rate;
    console.log(
      `${processes} processes: ${messages} messages, ${Math.round(rate)} a second, ${(rate / single).toFixed(2)} of ` +
        `one; ${lost.length} lost, ${twice.length} twice (this machine has ${availableParallelism()} cores)${load()}`,
    );
    if (lost.length > 0 || twice.length > 0) process.exitCode = 1;
  }
}
