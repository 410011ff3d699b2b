import { Tooltip } from '@mantine/core';
import { DesktopIcon, GlobeIcon, MobileIcon } from '../../ground/brand/icons.tsx';
import classes from './client-marks.module.css';
import { count } from '../../ground/words.ts';
import { agreementWords, comparedWords } from './compared-words.ts';
import { problemsOf } from './filter.ts';
import type { Device } from './proof-search.ts';
import type { ProofClient } from './proof.ts';

const DEVICES = {
  desktop: { Icon: DesktopIcon, label: 'Desktop' },
  web: { Icon: GlobeIcon, label: 'Webmail' },
  mobile: { Icon: MobileIcon, label: 'Mobile' },
};

export function DeviceIcon({ device }: { device: Device }) {
  const { Icon, label } = DEVICES[device];
  return <Icon className={classes.icon} role="img" aria-label={label} />;
}

export type Fidelity = 'real' | 'engine' | 'emulated';

export const FIDELITY: Record<Fidelity, { name: string; about: string }> = {
  real: { name: 'Real', about: 'Screenshot of the real client.' },
  engine: {
    name: 'Engine',
    about: 'Rendered by the engine that the client uses, after the changes that the client makes to a message.',
  },
  emulated: {
    name: 'Emulated',
    about: 'Rendered by another engine that follows published facts about what the client supports.',
  },
};

/** Full, half or empty: how close a picture is to the real client. */
export function FidelityMark({ fidelity, withTooltip = true }: { fidelity: Fidelity; withTooltip?: boolean }) {
  const { name, about } = FIDELITY[fidelity];
  const mark = (
    <span className={classes.mark} data-fidelity={fidelity}>
      <svg width="9" height="9" viewBox="0 0 10 10" aria-hidden="true">
        <circle
          cx="5"
          cy="5"
          r="4.1"
          fill={fidelity === 'real' ? 'currentColor' : 'none'}
          stroke="currentColor"
          strokeWidth="1.5"
        />
        {fidelity === 'engine' && <path d="M5 .9a4.1 4.1 0 0 0 0 8.2z" fill="currentColor" />}
      </svg>
      {name}
    </span>
  );
  return withTooltip ? (
    <Tooltip label={about} multiline maw={260}>
      {mark}
    </Tooltip>
  ) : (
    mark
  );
}

/** How many problems were measured in the pictures of a client; nothing where there are none. */
export function ProblemsMark({ client }: { client: ProofClient }) {
  const problems = problemsOf(client);
  if (problems.length === 0) return null;
  const severity = problems.some((problem) => problem.severity === 'error') ? 'error' : 'warning';
  return (
    <Tooltip
      label={problems
        .slice(0, 3)
        .map(({ message }) => message)
        .join(' ')}
      multiline
      maw={320}
    >
      <span className={classes.mark} data-problems={severity}>
        <svg width="11" height="10" viewBox="0 0 11 10" aria-hidden="true">
          <path d="M5.5.6 10.6 9.4H.4z" fill="none" stroke="currentColor" strokeWidth="1.2" strokeLinejoin="round" />
          <path d="M5.5 3.8v2.6M5.5 7.4v.9" stroke="currentColor" strokeWidth="1.2" />
        </svg>
        {count(problems.length, 'problem')}
      </span>
    </Tooltip>
  );
}

/** How far the preview of the client last agreed with the real one; nothing where nobody compared them. */
export function ComparedMark({ client }: { client: ProofClient }) {
  const compared = client.result.last_compared;
  if (!compared) return null;
  const words = comparedWords(compared);
  return (
    <Tooltip label={`${words.charAt(0).toUpperCase()}${words.slice(1)}`} multiline maw={260}>
      <span className={classes.mark}>{agreementWords(compared.agreement)} agree</span>
    </Tooltip>
  );
}

export function DarkMark() {
  return (
    <span className={classes.mark}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        <path d="M3.6.9a4.4 4.4 0 1 0 5.5 5.5A3.9 3.9 0 0 1 3.6.9z" fill="currentColor" />
      </svg>
      Dark
    </span>
  );
}
