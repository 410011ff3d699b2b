import { ActionIcon, Button, Group, Tabs, Tooltip, VisuallyHidden } from '@mantine/core';
import { useDocumentTitle, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import {
  ArrowLeftIcon,
  ArrowRightIcon,
  CloseIcon,
  ColumnsIcon,
  DownloadIcon,
  InfoIcon,
  MobileIcon,
} from '../../ground/brand/icons.tsx';
import { ZoomControls } from '../pictures/zoom-controls.tsx';
import { ZoomPane } from '../pictures/zoom-pane.tsx';
import type { Zoom } from '../pictures/zoom.ts';
import { DarkMark, DeviceIcon, FidelityMark } from '../proof/client-marks.tsx';
import { filterClients } from '../proof/filter.ts';
import { rememberOpened } from '../proof/last-opened.ts';
import { PageLink } from '../proof/page-link.tsx';
import { downloadOf, pictureOf, shotName, shotOf, shotsOf, useProof, type ProofClient } from '../proof/proof.ts';
import { useProofSearch } from '../proof/use-proof-search.ts';
import { Notice } from '../../ground/shell/page.tsx';
import { useShortcuts } from '../../ground/shell/shortcuts.ts';
import { ClientDetails } from './client-details.tsx';
import classes from './client-view-page.module.css';
import { DeviceFrame } from './device-frame.tsx';
import { SharpLayer, SharpNote } from './sharp-layer.tsx';
import { useSharpParts } from './use-sharp-parts.ts';

/** The neighbors among the clients that the filters leave; among all when this one is not of them. */
function useNeighbors(client: ProofClient): {
  before: ProofClient | undefined;
  after: ProofClient | undefined;
  place: string;
} {
  const { clients } = useProof();
  const [search] = useProofSearch();
  const filtered = filterClients(clients, search);
  const row = filtered.includes(client) ? filtered : clients;
  const at = row.indexOf(client);
  return { before: row[at - 1], after: row[at + 1], place: `${at + 1} of ${row.length}` };
}

function Stage({
  client,
  shot,
  zoom,
  onZoom,
  pane,
  isFramed,
}: {
  client: ProofClient;
  shot: string;
  /** On the screen of its device, where that is known. */
  isFramed: boolean;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
  pane: { current: HTMLDivElement | null };
}) {
  const size = client.result.pictures[shot];
  const source = pictureOf(client, shot);
  const sharp = useSharpParts(client, shot);
  const { bounce_code: code, bounce_message: message } = client.result.status_details;
  if (client.status === 'bounced')
    return <Notice title={`Bounced${code && ` · ${code}`}`}>{message} A bounced client cannot be retaken.</Notice>;
  if (!size || !source) return <Notice title="Not ready yet">The screenshot appears here when it is ready.</Notice>;
  const label = `${client.name}, ${shotName(shot)}`;
  const picture = (
    <>
      <img
        key={source}
        src={source}
        alt={`The message in ${client.name}, ${shotName(shot).toLowerCase()}`}
        draggable={false}
      />
      {sharp && <SharpLayer parts={sharp} picture={size} />}
    </>
  );
  return (
    <>
      {isFramed && sharp ? (
        <DeviceFrame ref={pane} label={label} picture={size} screenHeight={sharp.partHeight} zoom={zoom}>
          {picture}
        </DeviceFrame>
      ) : (
        <ZoomPane ref={pane} label={label} picture={size} zoom={zoom} onZoom={onZoom}>
          {picture}
        </ZoomPane>
      )}
      {sharp && <SharpNote parts={sharp} />}
    </>
  );
}

function Shots({ client, shot }: { client: ProofClient; shot: string }) {
  const [, change] = useProofSearch();
  const shots = shotsOf(client);
  if (shots.length < 2) return null;
  return (
    <Tabs
      value={shot}
      onChange={(next) => change({ shot: next === 'default' || next === null ? undefined : next })}
      variant="pills"
      classNames={{ tab: classes.tab }}
    >
      <Tabs.List aria-label="Screenshots of this client">
        {shots.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {shotName(name)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}

function useKeys(client: ProofClient, toggleDetails: () => void): void {
  const { base } = useProof();
  const navigate = useNavigate();
  const { before, after } = useNeighbors(client);
  const go = (path: string): void =>
    void navigate({
      to: path as '/',
      search: ((search: object) => search) as never,
      replace: path.includes('/client/'),
    });
  useShortcuts({
    clientBefore: () => before && go(`${base}/client/${before.id}`),
    nextClient: () => after && go(`${base}/client/${after.id}`),
    allPictures: () => go(base),
    details: toggleDetails,
    compare: () =>
      void navigate({
        to: `${base}/compare` as '/',
        search: ((search: object) => ({ ...search, a: client.id })) as never,
      }),
  });
}

function View({ client }: { client: ProofClient }) {
  const { base, title } = useProof();
  const [search] = useProofSearch();
  const shot = shotOf(client, search.shot);
  const [zoom, setZoom] = useState<Zoom>('fit');
  const isWide = useMediaQuery('(min-width: 64em)', true, { getInitialValueInEffect: false });
  const [isAsideOpen, setAside] = useLocalStorage({
    key: 'galley.details',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const [isSheetOpen, setSheet] = useState(false);
  const [isFramed, setFramed] = useLocalStorage({
    key: 'galley.device-frame',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const [hasDetails, setDetails] = isWide ? [isAsideOpen, setAside] : [isSheetOpen, setSheet];
  const pane = useRef<HTMLDivElement>(null);
  const { before, after, place } = useNeighbors(client);
  const download = downloadOf(client, shot);
  useDocumentTitle(`${client.name} · ${title} · Galley`);
  useKeys(client, () => setDetails(!hasDetails));
  useEffect(() => {
    rememberOpened(client.id);
    pane.current?.focus({ preventScroll: true, focusVisible: false } as FocusOptions);
  }, [client.id]);
  return (
    <div className={classes.page}>
      <div className={classes.bar}>
        <Tooltip label="All clients (Esc)">
          <ActionIcon renderRoot={(props) => <PageLink path={base} {...props} />} aria-label="All clients">
            <CloseIcon />
          </ActionIcon>
        </Tooltip>
        <h1 className={classes.name}>
          <DeviceIcon device={client.device} />
          <span>{client.name}</span>
          <FidelityMark fidelity={client.result.fidelity} />
          {client.scheme === 'dark' && <DarkMark />}
        </h1>
        <Shots client={client} shot={shot} />
        <Group gap={6} ml="auto" wrap="nowrap" className={classes.tools}>
          <ZoomControls zoom={zoom} onZoom={setZoom} scale={() => Number(pane.current?.dataset['scale'] ?? 1)} />
          {client.result.pictures[shot]?.sharp && (
            <Tooltip label="On the device's screen">
              <ActionIcon aria-label="Device frame" aria-pressed={isFramed} onClick={() => setFramed(!isFramed)}>
                <MobileIcon />
              </ActionIcon>
            </Tooltip>
          )}
          <Tooltip label="Compare with another client (c)">
            <ActionIcon
              renderRoot={(props) => <PageLink path={`${base}/compare`} search={{ a: client.id }} {...props} />}
              aria-label="Compare with another client"
            >
              <ColumnsIcon />
            </ActionIcon>
          </Tooltip>
          {download && client.status === 'completed' && (
            <Tooltip label="Download the PNG">
              <ActionIcon component="a" href={download} download aria-label="Download the PNG">
                <DownloadIcon />
              </ActionIcon>
            </Tooltip>
          )}
          <Tooltip label="Details (i)">
            <ActionIcon aria-label="Details" aria-pressed={hasDetails} onClick={() => setDetails(!hasDetails)}>
              <InfoIcon />
            </ActionIcon>
          </Tooltip>
        </Group>
      </div>
      <div className={classes.body} data-details={hasDetails || undefined}>
        <div className={classes.table}>
          <Stage client={client} shot={shot} zoom={zoom} onZoom={setZoom} pane={pane} isFramed={isFramed} />
          <nav className={classes.turn} aria-label="Clients">
            <Turn to={before} label="Previous" icon={<ArrowLeftIcon />} />
            <span className={classes.place}>{place}</span>
            <Turn to={after} label="Next" icon={<ArrowRightIcon />} />
          </nav>
        </div>
        {hasDetails && <ClientDetails client={client} shot={shot} isWide={isWide} onClose={() => setDetails(false)} />}
      </div>
      <VisuallyHidden role="status">{client.name}</VisuallyHidden>
    </div>
  );
}

function Turn({ to, label, icon }: { to: ProofClient | undefined; label: string; icon: React.ReactNode }) {
  const { base } = useProof();
  if (!to)
    return (
      <ActionIcon disabled aria-label={label}>
        {icon}
      </ActionIcon>
    );
  return (
    <Tooltip label={to.name}>
      <ActionIcon
        renderRoot={(props) => <PageLink path={`${base}/client/${to.id}`} {...props} />}
        aria-label={`${label}: ${to.name}`}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

/** One client at full size. */
export function ClientViewPage() {
  const { clientId } = useParams({ strict: false });
  const { clients, base } = useProof();
  const client = clients.find((candidate) => candidate.id === clientId);
  if (!client)
    return (
      <Notice
        isPage
        title="This client is not part of the test"
        action={<Button renderRoot={(props) => <PageLink path={base} {...props} />}>All clients</Button>}
      />
    );
  return <View client={client} />;
}
