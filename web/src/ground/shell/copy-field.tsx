import { ActionIcon, CopyButton, TextInput, Tooltip } from '@mantine/core';
import { CheckIcon, CopyIcon } from '../brand/icons.tsx';

/** A value to take along, with the button that does it. */
export function CopyField({ label, value, description }: { label: string; value: string; description?: string }) {
  return (
    <TextInput
      label={label}
      description={description}
      value={value}
      readOnly
      onFocus={(event) => event.currentTarget.select()}
      styles={{
        input: { fontFamily: 'var(--font-mono)', fontSize: 12.5 },
        // A name of DNS is one long word.
        label: { display: 'block', overflowWrap: 'anywhere' },
      }}
      rightSection={
        <CopyButton value={value} timeout={2000}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy'}>
              <ActionIcon size={28} aria-label={copied ? 'Copied' : `Copy: ${label}`} onClick={copy}>
                {copied ? <CheckIcon /> : <CopyIcon />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      }
    />
  );
}
