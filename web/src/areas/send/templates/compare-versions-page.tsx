import { ActionIcon, Alert, Loader, SegmentedControl, Select, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { clientsQuery, sentenceOf } from '../../../ground/api.ts';
import { CloseIcon, SwapIcon } from '../../../ground/brand/icons.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { families } from '../../../shared/clients/client-choice.ts';
import { Blend } from '../../../shared/compare/blend.tsx';
import compare from '../../../shared/compare/compare.module.css';
import { DifferenceView } from '../../../shared/compare/difference-view.tsx';
import { MODE_NAMES, type Pair } from '../../../shared/compare/pair.ts';
import { SideBySide } from '../../../shared/compare/side-by-side.tsx';
import { ZoomControls } from '../../../shared/pictures/zoom-controls.tsx';
import type { Zoom } from '../../../shared/pictures/zoom.ts';
import { MODES, type CompareMode } from '../../../shared/proof/proof-search.ts';
import { versionsQuery, type Place } from './templates-api.ts';
import { useSample } from './use-sample.ts';
import { useVersionPicture } from './use-version-picture.ts';

const FIRST_CLIENT = 'gmail_chrome';

interface Chosen {
  a: string;
  b: string;
  client: string;
}

interface ChoicesProps {
  tags: readonly string[];
  chosen: Chosen;
  onChange: (next: Partial<Chosen>) => void;
}

function Choices({ tags, chosen, onChange }: ChoicesProps) {
  const { data: clients = {} } = useQuery(clientsQuery);
  const { a, b, client } = chosen;
  return (
    <>
      <Select
        aria-label="First version"
        className={compare.select}
        allowDeselect={false}
        data={tags}
        value={a}
        onChange={(tag) => tag && onChange({ a: tag })}
      />
      <Tooltip label="Swap">
        <ActionIcon aria-label="Swap versions" onClick={() => onChange({ a: b, b: a })}>
          <SwapIcon />
        </ActionIcon>
      </Tooltip>
      <Select
        aria-label="Second version"
        className={compare.select}
        allowDeselect={false}
        data={tags}
        value={b}
        onChange={(tag) => tag && onChange({ b: tag })}
      />
      <Select
        aria-label="Client"
        className={compare.select}
        searchable
        allowDeselect={false}
        maxDropdownHeight={420}
        data={families(clients, '').map(({ name, members }) => ({
          group: name,
          items: members.map(({ id, display_name: label }) => ({ value: id, label })),
        }))}
        value={client}
        onChange={(id) => id && onChange({ client: id })}
      />
    </>
  );
}

function Views({
  pair,
  mode,
  zoom,
  onZoom,
}: {
  pair: Pair;
  mode: CompareMode;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
}) {
  const shared = { pair, zoom, onZoom };
  if (mode === 'side') return <SideBySide {...shared} />;
  if (mode === 'difference') return <DifferenceView {...shared} />;
  return <Blend key={mode} mode={mode} {...shared} />;
}

function Comparison({ place, tags, chosen, onChange }: ChoicesProps & { place: Place }) {
  const { variables = {} } = useSample(place);
  const [zoom, setZoom] = useState<Zoom>('fit');
  const [mode, setMode] = useState<CompareMode>('side');
  const page = useRef<HTMLDivElement>(null);
  const { client } = chosen;
  const first = useVersionPicture({ place, tag: chosen.a, client, variables });
  const second = useVersionPicture({ place, tag: chosen.b, client, variables });
  const error = first.error ?? second.error;
  const scale = (): number => Number(page.current?.querySelector<HTMLElement>('[data-scale]')?.dataset['scale'] ?? 1);
  return (
    <div className={compare.page} ref={page}>
      <div className={compare.bar}>
        <Tooltip label="Back to the template">
          <ActionIcon
            aria-label="Back to the template"
            renderRoot={(props) => (
              <Link
                to="/templates/$name"
                params={{ name: place.name }}
                search={{ ...(place.domain && { domain: place.domain }), version: chosen.b }}
                {...props}
              />
            )}
          >
            <CloseIcon />
          </ActionIcon>
        </Tooltip>
        <h1 className={compare.hidden}>Compare two versions of {place.name}</h1>
        <Choices tags={tags} chosen={chosen} onChange={onChange} />
        <SegmentedControl
          aria-label="Comparison mode"
          value={mode}
          onChange={(value) => setMode(value as CompareMode)}
          data={MODES.map((value) => ({ value, label: MODE_NAMES[value] }))}
        />
        <ZoomControls zoom={zoom} onZoom={setZoom} scale={scale} />
      </div>
      {error && (
        <Alert color="red" m="lg" title="The pictures could not be made">
          {sentenceOf(error)}
        </Alert>
      )}
      {!error && !(first.side && second.side) && <Loader size="sm" m="xl" aria-label="Making the pictures" />}
      {!error && first.side && second.side && (
        <Views pair={{ a: first.side, b: second.side }} mode={mode} zoom={zoom} onZoom={setZoom} />
      )}
    </div>
  );
}

/** Two versions of a template with the sample of this browser, in one client, held against each other. */
export function CompareVersionsPage() {
  const { name } = useParams({ from: '/shell/templates/$name/compare' });
  const { domain, a, b, client = FIRST_CLIENT } = useSearch({ from: '/shell/templates/$name/compare' });
  const navigate = useNavigate();
  const { canWrite } = useRole('templates');
  const place: Place = { domain, name };
  const { data: template, error } = useQuery(versionsQuery(place));
  const tags = template?.versions.map(({ tag }) => tag) ?? [];
  const first = a !== undefined && tags.includes(a) ? a : tags[0];
  const second = b !== undefined && tags.includes(b) ? b : tags.find((tag) => tag !== first);
  if (error)
    return (
      <Alert color="red" title="The versions could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (!template) return <Loader size="sm" m="xl" aria-label="Loading" />;
  if (first === undefined || second === undefined)
    return <Alert title="There is nothing to compare yet">The template {name} has fewer than two versions.</Alert>;
  if (!canWrite)
    return <Alert title="This key is read only">Pictures are made for those who may change templates.</Alert>;
  const chosen = { a: first, b: second, client };
  const change = (next: Partial<Chosen>): void =>
    void navigate({
      to: '/templates/$name/compare',
      params: { name },
      search: { ...(domain && { domain }), ...chosen, ...next },
      replace: true,
    });
  return <Comparison place={place} tags={tags} chosen={chosen} onChange={change} />;
}
