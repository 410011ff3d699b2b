import { Alert, Stack, TextInput } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { fieldOf, sentenceOf } from '../../../../ground/api.ts';

interface CodeFieldProps {
  value: string;
  description: string;
  error: string | false;
  onChange: (code: string) => void;
}

/** A code of the second factor. */
export function CodeField({ value, description, error, onChange }: CodeFieldProps) {
  return (
    <TextInput
      label="Code"
      name="code"
      description={description}
      autoComplete="one-time-code"
      value={value}
      maxLength={40}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface ProofFormProps {
  error: Error | null;
  /** What was not done. */
  title: string;
  /** Errors about these are told beside them. */
  fields: string[];
  onSubmit: () => void;
  children: ReactNode;
}

/** What a change takes as proof, under what went wrong. */
export function ProofForm({ error, title, fields, onSubmit, children }: ProofFormProps) {
  const submit = (event: FormEvent): void => (event.preventDefault(), onSubmit());
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error && fieldOf(error, fields) === undefined && (
          <Alert color="red" title={title}>
            {sentenceOf(error)}
          </Alert>
        )}
        {children}
      </Stack>
    </form>
  );
}
