import { ActionIcon, Alert, Button, Group, Loader, NativeSelect, SegmentedControl, Tooltip } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useRef, useState } from 'react';
import { sentenceOf, statusOf } from '../../../ground/api.ts';
import { ArrowLeftIcon, ArrowRightIcon, CheckIcon, CloseIcon } from '../../../ground/brand/icons.tsx';
import { ZoomControls } from '../../../shared/pictures/zoom-controls.tsx';
import { ZoomPane } from '../../../shared/pictures/zoom-pane.tsx';
import type { Zoom } from '../../../shared/pictures/zoom.ts';
import { MODES, type CompareMode } from '../../../shared/proof/proof-search.ts';
import { NotLoaded } from '../../../shared/report/check-gate.tsx';
import { laterPart } from '../../../ground/shell/later-part.tsx';
import { Notice } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { useShortcuts } from '../../../ground/shell/shortcuts.ts';
import { count, percent } from '../../../ground/words.ts';
import { Blend } from '../../../shared/compare/blend.tsx';
import compareClasses from '../../../shared/compare/compare.module.css';
import { Jumps } from '../../../shared/compare/jumps.tsx';
import { MODE_NAMES, type Side } from '../../../shared/compare/pair.ts';
import { SideBySide } from '../../../shared/compare/side-by-side.tsx';
import { gateQuery, pictureQuery, type GateItems, type Screenshot } from './gate-api.ts';
import { NoSuchGate } from './no-such-gate.tsx';
import { byUrgency, OutcomeChip } from './outcome-chip.tsx';

const ApproveDialog = laterPart(async () => (await import('./approve-dialog.tsx')).ApproveDialog);

interface ViewProps {
  shot: Screenshot;
  /** Share of the pixels that may differ. */
  allowed: number | undefined;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
}

function Waiting({ error }: { error: unknown }) {
  if (error)
    return (
      <Alert color="red" m="lg" title="The screenshot could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  return <Loader size="sm" m="xl" aria-label="Loading" />;
}

/** One picture alone. */
function Single({ shot, zoom, onZoom }: ViewProps) {
  const picture = useQuery(pictureQuery(shot.links.current ?? ''));
  if (!picture.data)
    return (
      <div className={compareClasses.one}>
        <Waiting error={picture.error} />
      </div>
    );
  return (
    <div className={compareClasses.one}>
      <ZoomPane label={shot.name} picture={picture.data} zoom={zoom} onZoom={onZoom}>
        <img src={picture.data.url} alt={`The message in ${shot.name}`} draggable={false} />
      </ZoomPane>
    </div>
  );
}

/** The difference as the gate measured it. */
function Measured({ shot, allowed, zoom, onZoom }: ViewProps) {
  const picture = useQuery(pictureQuery(shot.links.difference ?? ''));
  const pane = useRef<HTMLDivElement>(null);
  const share = percent(shot.difference ?? 1);
  return (
    <div className={compareClasses.one}>
      <div className={compareClasses.control}>
        <span className={compareClasses.verdict}>
          <strong>{share}</strong> differ, in {count(shot.bands.length, 'place')}
          {allowed !== undefined && ` (${percent(allowed)} allowed)`}
        </span>
        <Jumps bands={shot.bands} pane={pane} />
        <span className="dim">
          Magenta pixels differ. Pink rows exist in only one screenshot. Rows that only moved do not count.
        </span>
      </div>
      {picture.data ? (
        <ZoomPane ref={pane} label="Difference" picture={picture.data} zoom={zoom} onZoom={onZoom}>
          <img
            src={picture.data.url}
            alt={`${share} of ${shot.name} differ from the baseline; magenta marks where`}
            draggable={false}
          />
        </ZoomPane>
      ) : (
        <Waiting error={picture.error} />
      )}
    </div>
  );
}

function Changed({ mode, ...view }: ViewProps & { mode: CompareMode }) {
  const { shot, zoom, onZoom } = view;
  const before = useQuery(pictureQuery(shot.links.baseline ?? ''));
  const now = useQuery(pictureQuery(shot.links.current ?? ''));
  if (mode === 'difference') return <Measured {...view} />;
  if (!before.data || !now.data)
    return (
      <div className={compareClasses.one}>
        <Waiting error={before.error ?? now.error} />
      </div>
    );
  const a: Side = { ...before.data, name: 'Baseline', alt: `Approved screenshot of ${shot.name}` };
  const b: Side = { ...now.data, name: 'Now', alt: `The message in ${shot.name} now` };
  return mode === 'side' ? (
    <SideBySide pair={{ a, b }} zoom={zoom} onZoom={onZoom} />
  ) : (
    <Blend key={mode} mode={mode} pair={{ a, b }} zoom={zoom} onZoom={onZoom} />
  );
}

function Turn({ shots, at }: { shots: readonly Screenshot[]; at: number }) {
  const { gateId } = useParams({ from: '/shell/gate/$gateId/client/$clientId' });
  const navigate = useNavigate();
  const open = (clientId: string): void =>
    void navigate({ to: '/gate/$gateId/client/$clientId', params: { gateId, clientId }, search: true, replace: true });
  const turn = (by: 1 | -1): void => open(shots[(at + by + shots.length) % shots.length]?.client ?? '');
  useShortcuts({
    nextClient: () => turn(1),
    clientBefore: () => turn(-1),
    allPictures: () => void navigate({ to: '/gate/$gateId', params: { gateId }, search: { part: 'screenshots' } }),
  });
  return (
    <Group gap={4} wrap="nowrap" className={compareClasses.choices}>
      <Tooltip label="All screenshots (Esc)">
        <ActionIcon
          renderRoot={(props) => (
            <Link to="/gate/$gateId" params={{ gateId }} search={{ part: 'screenshots' }} {...props} />
          )}
          aria-label="All screenshots"
        >
          <CloseIcon />
        </ActionIcon>
      </Tooltip>
      <NativeSelect
        aria-label="Client"
        className={compareClasses.select}
        value={shots[at]?.client}
        onChange={(event) => open(event.currentTarget.value)}
        data={shots.map(({ client, name }) => ({ value: client, label: name }))}
      />
      <Tooltip label="Previous client (←)">
        <ActionIcon aria-label="Previous client" disabled={shots.length < 2} onClick={() => turn(-1)}>
          <ArrowLeftIcon />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Next client (→)">
        <ActionIcon aria-label="Next client" disabled={shots.length < 2} onClick={() => turn(1)}>
          <ArrowRightIcon />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

function Loaded({ gate, shots, at }: { gate: GateItems; shots: readonly Screenshot[]; at: number }) {
  const shot = shots[at]!;
  const { mode = 'side' } = useSearch({ from: '/shell/gate/$gateId/client/$clientId' });
  const navigate = useNavigate();
  const { canWrite } = useRole();
  const [zoom, setZoom] = useState<Zoom>('fit');
  const [isAsked, setAsked] = useState(false);
  const page = useRef<HTMLDivElement>(null);
  const isChanged = shot.outcome === 'changed';
  const setMode = (next: CompareMode): void =>
    void navigate({ to: '.', search: (next === 'side' ? {} : { mode: next }) as never, replace: true });
  useDocumentTitle(`${shot.name} · ${gate.name} · Galley`);
  useShortcuts(
    isChanged ? { wayOfComparing: () => setMode(MODES[(MODES.indexOf(mode) + 1) % MODES.length] as CompareMode) } : {},
  );
  const scale = (): number => Number(page.current?.querySelector<HTMLElement>('[data-scale]')?.dataset['scale'] ?? 1);
  const view = { shot, allowed: gate.policy?.screenshots.difference_max, zoom, onZoom: setZoom };
  return (
    <div className={compareClasses.page} ref={page}>
      <div className={compareClasses.bar}>
        <h1 className={compareClasses.hidden}>{shot.name}</h1>
        <Turn shots={shots} at={at} />
        <OutcomeChip shot={shot} />
        {shot.approved_as.length > 0 && <span className="dim">approved as {shot.approved_as.join(', ')}</span>}
        <Group gap={10} ml="auto" wrap="nowrap" className={compareClasses.tools}>
          {isChanged && (
            <SegmentedControl
              aria-label="Comparison mode"
              value={mode}
              onChange={(value) => setMode(value as CompareMode)}
              data={MODES.map((value) => ({ value, label: MODE_NAMES[value] }))}
            />
          )}
          <ZoomControls zoom={zoom} onZoom={setZoom} scale={scale} />
          {canWrite && (
            <Button size="xs" leftSection={<CheckIcon />} onClick={() => setAsked(true)}>
              Approve
            </Button>
          )}
        </Group>
      </div>
      {isChanged ? <Changed mode={mode} {...view} /> : <Single {...view} />}
      <Suspense>
        {isAsked && (
          <ApproveDialog
            gateId={gate.id}
            baseline={gate.baseline}
            shots={[shot]}
            isAll={false}
            onClose={() => setAsked(false)}
            onApproved={() => setAsked(false)}
          />
        )}
      </Suspense>
    </div>
  );
}

/** One client of a gate: what was approved, what it is now, and the difference. */
export function GateClientPage() {
  const { gateId, clientId } = useParams({ from: '/shell/gate/$gateId/client/$clientId' });
  const query = useQuery(gateQuery(gateId));
  if (statusOf(query.error) === 404) return <NoSuchGate />;
  if (query.error && !query.data) return <NotLoaded error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <Loader size="sm" m="xl" aria-label="Loading" />;
  const gate = query.data.items;
  const shots = gate.screenshots.filter(({ outcome }) => outcome !== 'not_made').toSorted(byUrgency);
  const at = shots.findIndex(({ client }) => client === clientId);
  if (at < 0)
    return (
      <Notice
        isPage
        title="Screenshot not found"
        action={
          <Button renderRoot={(props) => <Link to="/gate/$gateId" params={{ gateId }} {...props} />}>The gate</Button>
        }
      />
    );
  return <Loaded key={clientId} gate={gate} shots={shots} at={at} />;
}
