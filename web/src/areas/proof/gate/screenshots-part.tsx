import { Button, Checkbox, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState, type SyntheticEvent } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { CheckIcon } from '../../../ground/brand/icons.tsx';
import cardClasses from '../../../shared/proof/proof-card.module.css';
import gridClasses from '../../../shared/proof/proof-grid.module.css';
import reportClasses from '../../../shared/report/report.module.css';
import { laterPart } from '../../../ground/shell/later-part.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { percent } from '../../../ground/words.ts';
import { pictureQuery, type GateItems, type Screenshot } from './gate-api.ts';
import classes from './gate.module.css';
import { byUrgency, OUTCOMES, OutcomeChip } from './outcome-chip.tsx';

const ApproveDialog = laterPart(async () => (await import('./approve-dialog.tsx')).ApproveDialog);

/** Shows the part of a long picture where the first difference is. */
function showBand(
  { currentTarget: image }: SyntheticEvent<HTMLImageElement>,
  { bands: [band], width }: Screenshot,
): void {
  if (!band || width === null || image.clientWidth === 0) return;
  const scale = image.naturalWidth / width;
  const seen = image.naturalWidth * (image.clientHeight / image.clientWidth);
  const room = image.naturalHeight - seen;
  if (room > 0)
    image.style.objectPosition = `0 ${Math.min(1, Math.max(0, (band.top * scale - seen / 4) / room)) * 100}%`;
}

function Thumbnail({ shot, path }: { shot: Screenshot; path: string }) {
  const picture = useQuery(pictureQuery(path));
  if (picture.error) return <span className={cardClasses.missing}>{sentenceOf(picture.error)}</span>;
  if (!picture.data) return <Skeleton height="100%" radius={0} />;
  return <img className={classes.thumbnail} src={picture.data.url} alt="" onLoad={(event) => showBand(event, shot)} />;
}

interface CardProps {
  gateId: string;
  shot: Screenshot;
  isChosen: boolean;
  /** Undefined where nothing can be approved. */
  onChoose: ((isChosen: boolean) => void) | undefined;
}

function Card({ gateId, shot, isChosen, onChoose }: CardProps) {
  const path = shot.links.thumbnail;
  const otherEngine = shot.engine !== null && shot.baseline_engine !== null && shot.baseline_engine !== shot.engine;
  return (
    <article className={cardClasses.card} aria-label={`${shot.name}, ${OUTCOMES[shot.outcome].words}`}>
      {path ? (
        <Link
          to="/gate/$gateId/client/$clientId"
          params={{ gateId, clientId: shot.client }}
          className={cardClasses.open}
          aria-label={`Open ${shot.name}`}
        >
          <span className={cardClasses.sheet}>
            <Thumbnail shot={shot} path={path} />
          </span>
        </Link>
      ) : (
        <span className={cardClasses.sheet} data-status="bounced">
          <span className={cardClasses.bounce}>
            <strong>No screenshot</strong>
            <span>{shot.error}</span>
          </span>
        </span>
      )}
      <div className={cardClasses.caption}>
        <h3 className={cardClasses.name}>
          <span title={shot.name}>{shot.name}</span>
          {path && onChoose && (
            <Checkbox
              size="xs"
              className={cardClasses.choose}
              aria-label={`Select ${shot.name}`}
              checked={isChosen}
              onChange={(event) => onChoose(event.currentTarget.checked)}
            />
          )}
        </h3>
        <p className={classes.outcome}>
          <OutcomeChip shot={shot} />
        </p>
        {shot.approved_as.length > 0 && (
          <p className={classes.approvedAs}>
            <CheckIcon /> Approved as {shot.approved_as.join(', ')}
          </p>
        )}
        {otherEngine && (
          <p className={classes.engine}>
            Approved with {shot.baseline_engine}, now {shot.engine}.
          </p>
        )}
        {shot.is_cut && <p className={classes.engine}>The message continues below the screenshot.</p>}
      </div>
    </article>
  );
}

/** The pictures, what changed first, and what makes them the baseline. */
export function ScreenshotsPart({ gate: { id, baseline, screenshots, policy } }: { gate: GateItems }) {
  const { canWrite } = useRole();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<Screenshot[] | null>(null);
  const made = screenshots.filter(({ outcome }) => outcome !== 'not_made');
  const wanted = chosen.size > 0 ? made.filter(({ client }) => chosen.has(client)) : made;
  const groups = [...Map.groupBy(screenshots.toSorted(byUrgency), ({ outcome }) => outcome)];
  const choose = (client: string, isChosen: boolean): void =>
    setChosen((before) => new Set(isChosen ? [...before, client] : [...before].filter((one) => one !== client)));
  return (
    <>
      <div className={reportClasses.filters}>
        <p className={classes.against}>
          {baseline === null ? (
            'No baseline selected, so nothing was compared.'
          ) : (
            <>
              Compared with the baseline <strong>{baseline}</strong>
              {policy && <>; {percent(policy.screenshots.difference_max)} of the pixels may differ</>}.
            </>
          )}
        </p>
        {canWrite && made.length > 0 && (
          <span className={classes.approve}>
            {chosen.size > 0 && (
              <Button variant="subtle" size="xs" onClick={() => setChosen(new Set())}>
                Clear selection
              </Button>
            )}
            <Button size="xs" leftSection={<CheckIcon />} onClick={() => setAsked(wanted)}>
              {chosen.size > 0
                ? `Approve ${wanted.length} selected`
                : made.length === 1
                  ? 'Approve screenshot'
                  : `Approve all ${made.length}`}
            </Button>
          </span>
        )}
      </div>
      {groups.map(([outcome, shots]) => (
        <section key={outcome} className={classes.outcomeGroup} aria-label={OUTCOMES[outcome].title}>
          <h2 className={classes.checkTitle}>
            {OUTCOMES[outcome].title} <span className={reportClasses.tally}>{shots.length}</span>
          </h2>
          <div className={gridClasses.grid}>
            {shots.map((shot) => (
              <Card
                key={shot.client}
                gateId={id}
                shot={shot}
                isChosen={chosen.has(shot.client)}
                onChoose={canWrite ? (isChosen) => choose(shot.client, isChosen) : undefined}
              />
            ))}
          </div>
        </section>
      ))}
      <Suspense>
        {asked && (
          <ApproveDialog
            gateId={id}
            baseline={baseline}
            shots={asked}
            isAll={asked.length === made.length}
            onClose={() => setAsked(null)}
            onApproved={() => (setAsked(null), setChosen(new Set()))}
          />
        )}
      </Suspense>
    </>
  );
}
