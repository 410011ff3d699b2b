import { Link } from '@tanstack/react-router';
import { count } from '../../../ground/words.ts';
import type { Message } from './sandbox-api.ts';
import classes from './sandbox.module.css';

type Check = Message['checks'][number];

const LABELS: Record<Check['name'], string> = { previews: 'previews and checks', spam: 'spam test', gate: 'gate' };

function One({ name, status, id, message }: Check) {
  const label = LABELS[name];
  if (status === 'refused')
    return (
      <li>
        No {label}: {message}
      </li>
    );
  if (id === null) return <li>The {label} will start soon.</li>;
  return (
    <li>
      {name === 'previews' && (
        <Link to="/previews/$testId" params={{ testId: id }}>
          Open the {label}
        </Link>
      )}
      {name === 'spam' && (
        <Link to="/spam/$spamTestId" params={{ spamTestId: id }}>
          Open the {label}
        </Link>
      )}
      {name === 'gate' && (
        <Link to="/gate/$gateId" params={{ gateId: id }}>
          Open the {label}
        </Link>
      )}
    </li>
  );
}

function sentenceOf({ state, attempts }: NonNullable<Message['webhook']>): string {
  const last = attempts.at(-1)?.message ?? '';
  if (state === 'delivered') return 'The webhook took it.';
  if (state === 'rejected') return 'The webhook does not want it.';
  if (state === 'dropped') return 'The webhook was not told: the inbox names another one by now.';
  if (state === 'failed') return `The webhook did not take it, after ${count(attempts.length, 'attempt')}. ${last}`;
  return attempts.length === 0 ? 'The webhook will be told soon.' : `The webhook is tried again. ${last}`;
}

function forwardSentenceOf({ to, domain, state, message }: NonNullable<Message['forward']>): string {
  const who = to.length === 1 ? to[0]! : `${to[0]!} and ${count(to.length - 1, 'other address', 'other addresses')}`;
  if (state === 'queued') return `Forwarded to ${who} by ${domain}. The page Messages shows what becomes of it.`;
  if (state === 'refused') return `Not forwarded to ${who}: ${message ?? ''}`;
  return `It will be forwarded to ${who} soon.`;
}

/** What the inbox did by itself with a message when it came. */
export function MessageChecks({ checks, webhook, forward }: Pick<Message, 'checks' | 'webhook' | 'forward'>) {
  if (checks.length === 0 && webhook === null && forward === null) return null;
  return (
    <ul className={classes.checks} aria-label="Started when it came">
      {checks.map((check) => (
        <One key={check.name} {...check} />
      ))}
      {webhook && <li>{sentenceOf(webhook)}</li>}
      {forward && <li>{forwardSentenceOf(forward)}</li>}
    </ul>
  );
}
