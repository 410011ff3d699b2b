// What `galley emails` does with reviews.
import type { Client, Reply } from '@galley/sdk';
import type { EmailsGiven } from '../emails.ts';
import { jsonOf, plain } from '../service/connect.ts';

type Review = Reply<'GET /v1/emails/{email_id}/versions/{number}/review'>;
type Thread = Review['threads'][number];

const line = (text: string): void => void process.stdout.write(`${text}\n`);
const pathOf = ({ words: [id = ''], version }: EmailsGiven) => ({ path: { email_id: id, number: version } });

const STATES = {
  none: 'not reviewed',
  open: 'in review',
  approved: 'approved',
  changes_requested: 'changes requested',
} as const;
const DECISIONS = { approved: 'approves', changes_requested: 'requests changes' } as const;

function showState({ version, state, open_threads: open }: Review): void {
  line(`Version ${version}: ${STATES[state]}, ${open} open ${open === 1 ? 'comment' : 'comments'}.`);
}

function showThread({ author, text, client, x, y, resolved, replies }: Thread): void {
  const place = x === null || y === null ? '' : ` at ${Math.round(x * 100)} %, ${Math.round(y * 100)} %`;
  const about = client === null ? '' : ` on ${client}${place}`;
  line(`  ${plain(author.name)}${about}${resolved ? ' (resolved)' : ''}: ${plain(text, 300)}`);
  for (const reply of replies) line(`    ${plain(reply.author.name)}: ${plain(reply.text, 300)}`);
}

/** Exit code 0: it is approved. */
export async function review(client: Client, given: EmailsGiven): Promise<number> {
  const found = await client.call('GET /v1/emails/{email_id}/versions/{number}/review', pathOf(given));
  const code = found.state === 'approved' ? 0 : 1;
  if (given.json) return (line(jsonOf(found)), code);
  showState(found);
  for (const { author, decision, note } of found.verdicts)
    line(`  ${plain(author.name)} ${DECISIONS[decision]}${note === '' ? '.' : `: ${plain(note, 300)}`}`);
  found.threads.forEach(showThread);
  return code;
}

const decide =
  (decision: 'approved' | 'changes_requested') =>
  async (client: Client, given: EmailsGiven): Promise<number> => {
    const body = { decision, ...(given.note !== undefined && { note: given.note }) };
    const asked = { ...pathOf(given), body };
    const found = await client.call('PUT /v1/emails/{email_id}/versions/{number}/verdict', asked);
    if (given.json) line(jsonOf(found));
    else showState(found);
    return 0;
  };

export const approve = decide('approved');
export const requestChanges = decide('changes_requested');

export async function invite(
  client: Client,
  { words: [id = ''], name = '', days, json }: EmailsGiven,
): Promise<number> {
  const made = await client.call('POST /v1/emails/{email_id}/review-links', {
    path: { email_id: id },
    body: { name, expires_in_days: days },
  });
  line(json ? jsonOf(made) : `${made.url}\nOpen until ${made.expires_at.slice(0, 10)}. It is shown this once.`);
  return 0;
}
