import { ActionIcon, Alert, Button, Loader, SegmentedControl, Tooltip } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import { pathOf, sentenceOf, testQuery } from '../../ground/api.ts';
import { CloseIcon, MobileIcon, MoonIcon, PictureIcon } from '../../ground/brand/icons.tsx';
import { laterPart } from '../../ground/shell/later-part.tsx';
import { checkOf } from '../../ground/checks.ts';
import { MessageView } from './message-view.tsx';
import {
  gateMessageQuery,
  imageTestQuery,
  sourceQuery,
  type MessageOf,
  type Place,
  type Severity,
} from './report-api.ts';
import type { LineMark } from './source-view.tsx';
import classes from './viewer.module.css';

const SourceView = laterPart(async () => (await import('./source-view.tsx')).SourceView);

export type View = 'message' | 'source';

/** Something with a place, shown in the viewer. */
export interface Placed {
  severity: Severity;
  where?: Place | undefined;
}

const ORDER: Severity[] = ['error', 'warning', 'info', 'pass'];

/** The worst of each line. */
function marksOf(placed: readonly Placed[]): Map<number, LineMark> {
  const marks = new Map<number, LineMark>();
  placed.forEach(({ severity, where }, number) => {
    if (where?.line === undefined) return;
    const known = marks.get(where.line);
    if (!known) marks.set(where.line, { severity, numbers: [number] });
    else {
      known.numbers.push(number);
      if (ORDER.indexOf(severity) < ORDER.indexOf(known.severity)) known.severity = severity;
    }
  });
  return marks;
}

interface Shown {
  source: Pick<UseQueryResult<string>, 'data' | 'error' | 'isPending'>;
  /** Stored copies of images, by their addresses as written: showing a copy sends no request to the sender. */
  pictures: ReadonlyMap<string, string>;
}

function copiesOf(images: readonly { url: string; stored_url?: string | null }[] = []): ReadonlyMap<string, string> {
  return new Map(images.flatMap(({ url, stored_url: stored }) => (stored ? [[url, pathOf(stored)] as const] : [])));
}

/** A test's message, with the copies that its image check keeps. */
function useTested(testId: string | undefined): Shown {
  const source = useQuery({ ...sourceQuery(testId ?? ''), enabled: testId !== undefined });
  const { data: test } = useQuery({ ...testQuery(testId ?? ''), enabled: testId !== undefined });
  const check = test ? checkOf(test, 'image_validation') : undefined;
  const id = check?.state === 'done' ? check.id : undefined;
  const { data } = useQuery({ ...imageTestQuery(id ?? ''), enabled: id !== undefined });
  return { source, pictures: useMemo(() => copiesOf(data?.items.images), [data]) };
}

function useGated(gateId: string | undefined): Shown {
  const { data, error, isPending } = useQuery({ ...gateMessageQuery(gateId ?? ''), enabled: gateId !== undefined });
  return { source: { data: data?.content, error, isPending }, pictures: useMemo(() => copiesOf(data?.images), [data]) };
}

interface ViewerParts {
  placed: readonly Placed[];
  selected: number | undefined;
  onPick: (numbers: number[]) => void;
  view: View;
  onView: (view: View) => void;
  onClose: () => void;
}

interface Sight {
  isPhone: boolean;
  isDark: boolean;
  hasPictures: boolean;
}

function Sights({ sight, onChange }: { sight: Sight; onChange: (sight: Sight) => void }) {
  const buttons = [
    { name: 'isPhone', Icon: MobileIcon, label: 'Phone width' },
    { name: 'isDark', Icon: MoonIcon, label: 'Dark mode styles of the message' },
    { name: 'hasPictures', Icon: PictureIcon, label: 'Images (copies from the check)' },
  ] as const;
  return buttons.map(({ name, Icon, label }) => (
    <Tooltip key={name} label={label}>
      <ActionIcon
        size={28}
        aria-label={label}
        aria-pressed={sight[name]}
        variant={sight[name] ? 'filled' : 'subtle'}
        onClick={() => onChange({ ...sight, [name]: !sight[name] })}
      >
        <Icon />
      </ActionIcon>
    </Tooltip>
  ));
}

/** The message next to its findings: rendered, or as source. */
export function Viewer({ placed, selected, onPick, view, onView, onClose, ...message }: ViewerParts & MessageOf) {
  const tested = useTested(message.testId);
  const gated = useGated(message.gateId);
  const { source, pictures } = message.gateId === undefined ? tested : gated;
  const [sight, setSight] = useLocalStorage<Sight>({
    key: 'galley.viewer',
    defaultValue: { isPhone: false, isDark: false, hasPictures: true },
    getInitialValueInEffect: false,
  });
  const [isSeen, setSeen] = useState(true);
  const marks = useMemo(() => marksOf(placed), [placed]);
  const places = useMemo(() => placed.map(({ where }) => where), [placed]);
  const chosen = selected === undefined ? undefined : places[selected];
  return (
    <section className={classes.viewer} aria-label="The message and its source">
      <div className={classes.bar}>
        <SegmentedControl
          aria-label="View"
          value={view}
          onChange={(value) => onView(value as View)}
          data={[
            { value: 'message', label: 'Message' },
            { value: 'source', label: 'Source' },
          ]}
        />
        <span className={classes.barEnd}>
          {view === 'message' && <Sights sight={sight} onChange={setSight} />}
          <ActionIcon className={classes.close} size={28} aria-label="Close message" onClick={onClose}>
            <CloseIcon />
          </ActionIcon>
        </span>
      </div>
      {source.error && (
        <Alert color="red" m="md" title="The message could not be loaded">
          {sentenceOf(source.error)}
        </Alert>
      )}
      {source.isPending && <Loader size="sm" m="xl" aria-label="Loading the message" />}
      {source.data !== undefined && view === 'message' && (
        <>
          <MessageView
            source={source.data}
            places={places}
            pictures={sight.hasPictures ? pictures : undefined}
            selected={selected}
            onPick={onPick}
            onSeen={setSeen}
            isPhone={sight.isPhone}
            isDark={sight.isDark}
          />
          {selected !== undefined && !isSeen && (
            <div className={classes.unseen} role="status">
              {chosen ? 'This place is not visible in the message.' : 'This finding applies to the whole message.'}
              {chosen && (
                <Button variant="default" size="compact-xs" onClick={() => onView('source')}>
                  Show in source
                </Button>
              )}
            </div>
          )}
        </>
      )}
      {source.data !== undefined && view === 'source' && (
        <Suspense fallback={<Loader size="sm" m="xl" aria-label="Loading the source" />}>
          <SourceView source={source.data} marks={marks} selected={chosen} onPick={onPick} />
        </Suspense>
      )}
    </section>
  );
}
