import { Dropzone } from '@mantine/dropzone';
import classes from './new-preview-page.module.css';

/** A file may be dropped anywhere on the page. */
export function FullDrop({ onFile }: { onFile: (file: File | undefined) => void }) {
  return (
    <Dropzone.FullScreen active onDrop={(files) => onFile(files[0])} onReject={(rejected) => onFile(rejected[0]?.file)} multiple={false} inputProps={{ 'aria-label': 'File' }}>
      <div className={classes.fullDrop}>Drop it here</div>
    </Dropzone.FullScreen>
  );
}
