import { pathOf } from '../../ground/api.ts';
import { DownloadIcon } from '../../ground/brand/icons.tsx';
import { DownloadButton } from '../../ground/shell/download-button.tsx';
import { ServiceImage } from '../../ground/shell/service-image.tsx';
import { bytes } from '../../ground/words.ts';
import classes from './send.module.css';

interface AttachedFile {
  name: string;
  type: string;
  sizeBytes: number;
  /** Where it can be had. */
  url?: string | undefined;
  /** Of a picture. */
  thumbnailUrl?: string | null | undefined;
}

/** The files of a message; `className` is added to the list's own. */
export function AttachedFiles({ files, className = '' }: { files: readonly AttachedFile[]; className?: string }) {
  return (
    <ul className={`${classes.files} ${className}`} aria-label="Attachments">
      {files.map(({ name, type, sizeBytes, url, thumbnailUrl }, place) => (
        <li key={place}>
          {thumbnailUrl && <ServiceImage path={pathOf(thumbnailUrl)} alt={name} className={classes.thumbnail} />}
          <bdi>{name || 'Unnamed file'}</bdi>
          <span className="dim">
            <bdi>{type.slice(0, 100)}</bdi>, {bytes(sizeBytes)}
          </span>
          {url !== undefined && (
            <DownloadButton
              path={pathOf(url)}
              name={name || 'file'}
              size="compact-xs"
              leftSection={<DownloadIcon />}
              label={`Download ${name || 'the file'}`}
            >
              Download
            </DownloadButton>
          )}
        </li>
      ))}
    </ul>
  );
}
