import { Checkbox, Tooltip } from '@mantine/core';
import { useState, type CSSProperties } from 'react';
import { ComparedMark, DarkMark, DeviceIcon, FidelityMark, ProblemsMark } from './client-marks.tsx';
import { sizedPicture } from '../pictures/sized-picture.ts';
import { PageLink } from './page-link.tsx';
import classes from './proof-card.module.css';
import { firstScreenOf, thumbnailOf, useProof, type ProofClient } from './proof.ts';

/** Of cards on a phone to large cards on a sharp screen. */
const WIDTHS = [160, 240, 320, 480] as const;

function Picture({ address }: { address: string }) {
  const [shown, setShown] = useState<{ ratio: number } | null>(null);
  const [isMissing, setMissing] = useState(false);
  if (isMissing) return <span className={classes.missing}>The screenshot could not be loaded.</span>;
  return (
    <img
      className={classes.picture}
      data-shown={shown !== null || undefined}
      style={{ '--ratio': shown?.ratio ?? 1 } as CSSProperties}
      {...sizedPicture(address, WIDTHS)}
      sizes="auto, (max-width: 48em) 50vw, 280px"
      alt=""
      loading="lazy"
      decoding="async"
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setShown({ ratio: naturalHeight / naturalWidth })}
      onError={() => setMissing(true)}
    />
  );
}

/** The top of a picture, and what it is. */
function FirstScreen({ address }: { address: string }) {
  return (
    <>
      <Picture address={address} />
      <span className={classes.top}>First screen · the rest is in progress</span>
    </>
  );
}

/** Lines of type that are still being set. */
function Waiting() {
  return (
    <span className={classes.waiting} aria-hidden="true">
      {[62, 88, 80, 94, 46, 0, 84, 91, 70].map((width, line) => (
        <i key={line} style={{ width: `${width}%` }} />
      ))}
    </span>
  );
}

function Bounce({ client }: { client: ProofClient }) {
  const { bounce_code: code, bounce_message: message } = client.result.status_details;
  return (
    <span className={classes.bounce}>
      <strong>Bounced{code && ` · ${code}`}</strong>
      <span>{message}</span>
    </span>
  );
}

const STATES = { processing: 'in progress', completed: 'ready', bounced: 'bounced' };

interface ProofCardProps {
  client: ProofClient;
  /** Clients that show the very same picture. */
  same?: ProofClient[];
  compare?: { isChosen: boolean; isFull: boolean; onChange: (isChosen: boolean) => void };
}

export function ProofCard({ client, same, compare }: ProofCardProps) {
  const { base } = useProof();
  const firstScreen = firstScreenOf(client);
  const sheet = (
    <span className={classes.sheet} data-status={client.status}>
      {client.status === 'completed' && <Picture key={thumbnailOf(client)} address={thumbnailOf(client)} />}
      {client.status === 'processing' &&
        (firstScreen ? <FirstScreen key={firstScreen} address={firstScreen} /> : <Waiting />)}
      {client.status === 'bounced' && <Bounce client={client} />}
    </span>
  );
  return (
    <article
      className={classes.card}
      aria-label={`${client.name}, ${client.status === 'processing' && firstScreen ? 'first screen ready' : STATES[client.status]}`}
    >
      <PageLink
        path={`${base}/client/${client.id}`}
        className={classes.open}
        data-client={client.id}
        aria-label={`Open ${client.name}`}
      >
        {sheet}
      </PageLink>
      <div className={classes.caption}>
        <h3 className={classes.name}>
          <DeviceIcon device={client.device} />
          <span title={client.name}>{client.name}</span>
          {compare && client.status === 'completed' && (
            <Tooltip
              label={
                compare.isFull && !compare.isChosen
                  ? 'Two clients are already selected'
                  : 'Select two clients to compare'
              }
            >
              <Checkbox
                size="xs"
                className={classes.choose}
                aria-label={`Compare ${client.name}`}
                checked={compare.isChosen}
                disabled={compare.isFull && !compare.isChosen}
                onChange={(event) => compare.onChange(event.currentTarget.checked)}
              />
            </Tooltip>
          )}
        </h3>
        <div className={classes.marks}>
          <FidelityMark fidelity={client.result.fidelity} />
          {client.scheme === 'dark' && <DarkMark />}
          <ProblemsMark client={client} />
          <ComparedMark client={client} />
          {client.place && <span className={classes.place}>{client.place}</span>}
        </div>
        {same && same.length > 0 && (
          <p className={classes.same}>
            Same in <strong>{same.length} more</strong>: {same.map((other) => other.name).join(' · ')}
          </p>
        )}
      </div>
    </article>
  );
}
