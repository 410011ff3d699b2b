import { Button, Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { CopyDialog } from './copy-dialog.tsx';
import { changeVersion, removeVersion, type Place, type ShortVersion } from './templates-api.ts';
import classes from './templates.module.css';

interface BarProps {
  place: Place;
  versions: readonly ShortVersion[];
  tag: string;
  canWrite: boolean;
  onOpen: (tag: string | undefined) => void;
  children: ReactNode;
}

function useChanges(place: Place, tag: string, onOpen: BarProps['onOpen']) {
  const queries = useQueryClient();
  const change = async (title: string, call: () => Promise<unknown>): Promise<void> => {
    try {
      await call();
    } catch (error) {
      tell({ color: 'red', title, message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['template'] });
  };
  const activate = (): Promise<void> =>
    change('The version was not made the active one', () => changeVersion(place, tag, { active: 'yes' }));
  const askDelete = (): void =>
    ask({
      title: 'Delete this version?',
      text: `${tag} of ${place.name} is deleted. Messages that were made from it stay as they are.`,
      confirm: 'Delete',
      onConfirm: () =>
        void change('The version was not deleted', async () => {
          await removeVersion(place, tag);
          onOpen(undefined);
        }),
    });
  return { activate, askDelete };
}

/** The versions of a template, and what can be done with the one that is open. */
export function VersionBar({ place, versions, tag, canWrite, onOpen, children }: BarProps) {
  const [isCopying, setCopying] = useState(false);
  const { activate, askDelete } = useChanges(place, tag, onOpen);
  const isActive = versions.some((version) => version.tag === tag && version.active);
  const other =
    versions.find((version) => version.tag !== tag && version.active) ?? versions.find((one) => one.tag !== tag);
  return (
    <div className={classes.bar}>
      <Select
        label="Version"
        w={240}
        allowDeselect={false}
        searchable={versions.length > 8}
        value={tag}
        data={versions.map((version) => ({
          value: version.tag,
          label: version.active ? `${version.tag} (active)` : version.tag,
        }))}
        onChange={(next) => next && onOpen(next)}
      />
      <div className={classes.actions}>
        {canWrite && !isActive && (
          <Button size="xs" variant="default" onClick={() => void activate()}>
            Make active
          </Button>
        )}
        {canWrite && (
          <Button size="xs" variant="default" onClick={() => setCopying(true)}>
            Copy
          </Button>
        )}
        {other && (
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => (
              <Link
                to="/templates/$name/compare"
                params={{ name: place.name }}
                search={{ ...(place.domain && { domain: place.domain }), a: other.tag, b: tag }}
                {...props}
              />
            )}
          >
            Compare
          </Button>
        )}
        {canWrite && children}
        {canWrite && (
          <Button size="xs" variant="default" color="red" onClick={askDelete}>
            Delete
          </Button>
        )}
      </div>
      {isCopying && <CopyDialog place={place} tag={tag} onClose={() => setCopying(false)} onOpen={onOpen} />}
    </div>
  );
}
