import { Link } from '@tanstack/react-router';
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

/** What the inbox started for a message when it came. */
export function MessageChecks({ checks }: Pick<Message, 'checks'>) {
  if (checks.length === 0) return null;
  return (
    <ul className={classes.checks} aria-label="Started when it came">
      {checks.map((check) => (
        <One key={check.name} {...check} />
      ))}
    </ul>
  );
}
