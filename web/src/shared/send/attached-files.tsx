import { Button } from '@mantine/core';
import { actingFor, pathOf } from '../../ground/api.ts';
import { DownloadIcon } from '../../ground/brand/icons.tsx';
import { bytes } from '../../ground/words.ts';
import classes from './send.module.css';

interface AttachedFile {
  name: string;
  type: string;
  sizeBytes: number;
  /** Where it can be had. */
  url?: string | undefined;
}

/** The files of a message; `className` is added to the list's own. */
export function AttachedFiles({ files, className = '' }: { files: readonly AttachedFile[]; className?: string }) {
  // A link carries the session of who signed in, and not the account that they act for.
  const isOpen = actingFor() === null;
  return (
    <ul className={`${classes.files} ${className}`} aria-label="Attachments">
      {files.map(({ name, type, sizeBytes, url }, place) => (
        <li key={place}>
          <bdi>{name || 'Unnamed file'}</bdi>
          <span className="dim">
            <bdi>{type.slice(0, 100)}</bdi>, {bytes(sizeBytes)}
          </span>
          {url !== undefined && isOpen && (
            <Button
              component="a"
              href={pathOf(url)}
              download
              size="compact-xs"
              variant="default"
              leftSection={<DownloadIcon />}
              aria-label={`Download ${name || 'the file'}`}
            >
              Download
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
