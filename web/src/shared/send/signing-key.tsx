import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { sentenceOf } from '../../ground/api.ts';
import { ask, tell } from '../../ground/shell/ask.ts';
import { CopyField } from '../../ground/shell/copy-field.tsx';
import { useRole } from '../../ground/shell/role.ts';
import classes from './send.module.css';

interface SigningKeyProps {
  /** Such as `Signing key of alerts`. */
  title: string;
  /** What is signed, and how. */
  about: string;
  /** The key, once it is known. */
  value: string | null | undefined;
  error?: Error | null;
  /** Called when somebody wants to see it. */
  onShow?: () => void;
  /** What becomes of receivers when it is replaced. */
  warning: string;
  onReplace: () => Promise<void>;
}

/** A key that receivers check signatures with: shown when it is asked for, and replaced. */
export function SigningKey({ title, about, value, error, onShow, warning, onReplace }: SigningKeyProps) {
  const { canManage } = useRole();
  const [isShown, setShown] = useState(false);
  const replace = async (): Promise<void> => {
    try {
      await onReplace();
      tell({ message: 'The signing key is replaced.' });
    } catch (failure) {
      tell({ color: 'red', title: 'The signing key was not replaced', message: sentenceOf(failure) });
    }
  };
  const askReplace = (): void =>
    ask({
      title: `Replace the ${title.toLowerCase()}?`,
      text: warning,
      confirm: 'Replace',
      onConfirm: () => void replace(),
    });
  const toggle = (): void => {
    setShown(!isShown);
    if (!isShown) onShow?.();
  };
  return (
    <section aria-labelledby="signing-key">
      <h2 id="signing-key" className={classes.part}>
        {title}
      </h2>
      <p className={classes.stepAbout}>{about}</p>
      {error && (
        <Alert color="red" title="The signing key could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isShown && value && <CopyField label={title} value={value} />}
      <Group gap="xs" mt="sm" mb="xl">
        <Button size="xs" variant="default" onClick={toggle}>
          {isShown ? 'Hide key' : 'Show key'}
        </Button>
        {canManage && (
          <Button size="xs" variant="default" onClick={askReplace}>
            Replace key
          </Button>
        )}
      </Group>
    </section>
  );
}
