import '@mantine/dropzone/styles.layer.css';
import { ActionIcon, Button } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useRef } from 'react';
import { CloseIcon, FileIcon } from '../../ground/brand/icons.tsx';
import { bytes } from '../../ground/words.ts';
import type { Draft } from './draft.ts';
import classes from './message.module.css';

const SIZE_BYTES_MAX = 50 * 1024 * 1024;

interface FilePanelProps {
  draft: Draft;
  error: string | undefined;
  onFile: (file: File | undefined) => void;
  onClearFile: () => void;
}

/** The chosen file, or where to drop one. */
export function FilePanel({ draft, error, onFile, onClearFile }: FilePanelProps) {
  const open = useRef<() => void>(null);
  return (
    <>
      {draft.file ? (
        <div className={classes.file}>
          <FileIcon width={20} height={20} />
          <span className={classes.fileName}>{draft.file.name}</span>
          <span className="dim">
            {draft.file.kind === 'mime' ? 'whole message' : 'HTML'}, {bytes(draft.file.sizeBytes)}
          </span>
          <ActionIcon ml="auto" aria-label="Remove file" onClick={onClearFile}>
            <CloseIcon />
          </ActionIcon>
        </div>
      ) : (
        <Dropzone
          openRef={open}
          onDrop={(files) => onFile(files[0])}
          onReject={(rejected) => onFile(rejected[0]?.file)}
          multiple={false}
          maxSize={SIZE_BYTES_MAX}
          className={classes.drop}
          activateOnClick={false}
          enablePointerEvents
          inputProps={{ 'aria-label': 'File' }}
        >
          <span className={classes.dropTitle}>Drop an .html or .eml file</span>
          <span className="dim">An .eml file includes its subject and inline images.</span>
          <Button variant="default" size="xs" onClick={() => open.current?.()}>
            Choose a file
          </Button>
        </Dropzone>
      )}
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </>
  );
}
