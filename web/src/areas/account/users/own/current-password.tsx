import { PasswordInput } from '@mantine/core';

interface CurrentPasswordProps {
  label?: string;
  value: string;
  error: string | false;
  onChange: (password: string) => void;
}

/** The password that the person signs in with, asked for before a change of how they do. */
export function CurrentPassword({ label = 'Your password', value, error, onChange }: CurrentPasswordProps) {
  return (
    <PasswordInput
      label={label}
      name="current-password"
      autoComplete="current-password"
      value={value}
      maxLength={500}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
    />
  );
}
