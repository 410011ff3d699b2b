import { ActionIcon, Button, Group, SegmentedControl, Select, Tooltip } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { CloseIcon, SwapIcon } from '../../ground/brand/icons.tsx';
import { ZoomControls } from '../pictures/zoom-controls.tsx';
import type { Zoom } from '../pictures/zoom.ts';
import { PageLink } from '../proof/page-link.tsx';
import { MODES, type CompareMode } from '../proof/proof-search.ts';
import { pictureOf, shotName, shotsOf, useProof, type ProofClient } from '../proof/proof.ts';
import { useProofSearch } from '../proof/use-proof-search.ts';
import { Notice } from '../../ground/shell/page.tsx';
import { useShortcuts } from '../../ground/shell/shortcuts.ts';
import { Blend } from './blend.tsx';
import classes from './compare.module.css';
import { DifferenceView } from './difference-view.tsx';
import { MODE_NAMES, type Side } from './pair.ts';
import { SideBySide } from './side-by-side.tsx';

interface ClientSide extends Side {
  client: ProofClient;
}

interface ClientPair {
  a: ClientSide;
  b: ClientSide;
  shot: string;
}

/** The one asked for; else one that is worth comparing with the other. */
function choose(clients: ProofClient[], id: string | undefined, other?: ProofClient): ProofClient | undefined {
  const asked = clients.find((client) => client.id === id);
  if (asked || !other) return asked ?? clients[0];
  const partner = clients.find((client) => client.id === `${other.id}_dm` || `${client.id}_dm` === other.id);
  const different = clients.find(
    (client) => client !== other && client.device === other.device && client.look !== other.look,
  );
  return partner ?? different ?? clients.find((client) => client !== other);
}

function ClientSelect({
  label,
  clients,
  client,
  onChange,
}: {
  label: string;
  clients: ProofClient[];
  client: ProofClient;
  onChange: (id: string) => void;
}) {
  const families = Map.groupBy(clients, (candidate) => candidate.family);
  const data = [...families].map(([group, members]) => ({
    group,
    items: members.map(({ id, name }) => ({ value: id, label: name })),
  }));
  return (
    <Select
      aria-label={label}
      className={classes.select}
      searchable
      allowDeselect={false}
      maxDropdownHeight={420}
      data={data}
      value={client.id}
      onChange={(id) => id && onChange(id)}
      comboboxProps={{ width: 300, position: 'bottom-start' }}
      nothingFoundMessage="No clients match"
    />
  );
}

function Choices({ clients, pair }: { clients: ProofClient[]; pair: ClientPair }) {
  const [, change] = useProofSearch();
  const { a, b, shot } = pair;
  const shots = shotsOf(a.client).filter((name) => b.client.result.screenshots[name]);
  const swap = (): void => change({ a: b.client.id, b: a.client.id });
  useShortcuts({ swap });
  return (
    <Group gap={6} wrap="nowrap" className={classes.choices}>
      <ClientSelect
        label="First client"
        clients={clients}
        client={a.client}
        onChange={(id) => change({ a: id, b: b.client.id })}
      />
      <Tooltip label="Swap (x)">
        <ActionIcon aria-label="Swap clients" onClick={swap}>
          <SwapIcon />
        </ActionIcon>
      </Tooltip>
      <ClientSelect
        label="Second client"
        clients={clients}
        client={b.client}
        onChange={(id) => change({ a: a.client.id, b: id })}
      />
      {shots.length > 1 && (
        <SegmentedControl
          aria-label="Screenshot"
          value={shot}
          onChange={(name) => change({ shot: name === 'default' ? undefined : name })}
          data={shots.map((name) => ({ value: name, label: shotName(name) }))}
          visibleFrom="md"
        />
      )}
    </Group>
  );
}

function Comparison({ clients, pair }: { clients: ProofClient[]; pair: ClientPair }) {
  const { base, title } = useProof();
  const [search, change] = useProofSearch();
  const navigate = useNavigate();
  const [zoom, setZoom] = useState<Zoom>('fit');
  const mode = search.mode ?? 'side';
  const page = useRef<HTMLDivElement>(null);
  const setMode = (next: CompareMode): void => change({ mode: next === 'side' ? undefined : next });
  useDocumentTitle(`${pair.a.client.name} and ${pair.b.client.name} · ${title} · Galley`);
  useShortcuts({
    allPictures: () =>
      void navigate({
        to: base as '/',
        search: (({ a: _a, b: _b, mode: _mode, ...rest }: Record<string, unknown>) => rest) as never,
      }),
    wayOfComparing: () => setMode(MODES[(MODES.indexOf(mode) + 1) % MODES.length] as CompareMode),
  });
  const scale = (): number => Number(page.current?.querySelector<HTMLElement>('[data-scale]')?.dataset['scale'] ?? 1);
  const shared = { pair, zoom, onZoom: setZoom };
  return (
    <div className={classes.page} ref={page}>
      <div className={classes.bar}>
        <Tooltip label="All clients (Esc)">
          <ActionIcon
            renderRoot={(props) => (
              <PageLink path={base} search={{ a: undefined, b: undefined, mode: undefined }} {...props} />
            )}
            aria-label="All clients"
          >
            <CloseIcon />
          </ActionIcon>
        </Tooltip>
        <h1 className={classes.hidden}>Compare two clients</h1>
        <Choices clients={clients} pair={pair} />
        <Group gap={10} ml="auto" wrap="nowrap" className={classes.tools}>
          <SegmentedControl
            aria-label="Comparison mode"
            value={mode}
            onChange={(value) => setMode(value as CompareMode)}
            data={MODES.map((value) => ({ value, label: MODE_NAMES[value] }))}
          />
          <ZoomControls zoom={zoom} onZoom={setZoom} scale={scale} />
        </Group>
      </div>
      {mode === 'side' && <SideBySide {...shared} />}
      {mode === 'difference' && <DifferenceView {...shared} />}
      {(mode === 'wipe' || mode === 'fade') && <Blend key={mode} mode={mode} {...shared} />}
    </div>
  );
}

/** Two clients of a test, held against each other. */
export function ComparePage() {
  const { clients, base } = useProof();
  const [search] = useProofSearch();
  const ready = clients.filter((client) => client.status === 'completed' && client.result.pictures['default']);
  const first = choose(ready, search.a);
  const second = first && choose(ready, search.b, first);
  if (!first || !second)
    return (
      <Notice
        isPage
        title="Nothing to compare yet"
        action={<Button renderRoot={(props) => <PageLink path={base} {...props} />}>All clients</Button>}
      >
        A comparison needs two screenshots.
      </Notice>
    );
  const shot =
    search.shot && first.result.pictures[search.shot] && second.result.pictures[search.shot] ? search.shot : 'default';
  const side = (client: ProofClient): ClientSide => ({
    client,
    name: client.name,
    alt: `The message in ${client.name}`,
    url: pictureOf(client, shot) ?? '',
    width: client.result.pictures[shot]?.width ?? 0,
    height: client.result.pictures[shot]?.height ?? 0,
  });
  return <Comparison clients={ready} pair={{ a: side(first), b: side(second), shot }} />;
}
