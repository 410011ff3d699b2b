import { Alert, Button, CopyButton, Stack } from '@mantine/core';
import classes from './own.module.css';

function save(codes: readonly string[]): void {
  const text = `Recovery codes for Galley at ${location.host}. Each works once.\n\n${codes.join('\n')}\n`;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'galley-recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(url);
}

/** Shown once: who has none of them and lost the app needs an admin. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Alert title="Keep these recovery codes">
        If you lose your app, each of them signs you in once. You won’t be able to see them again.
      </Alert>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.actions}>
        <CopyButton value={codes.join('\n')} timeout={2000}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy all'}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={() => save(codes)}>
          Save as a file
        </Button>
      </div>
      <Button onClick={onClose}>I have kept them</Button>
    </Stack>
  );
}
