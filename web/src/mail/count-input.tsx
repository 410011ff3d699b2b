import { TextInput } from '@mantine/core';

interface CountInputProps {
  label: string;
  name: string;
  min: number;
  max: number;
  /** Empty while nothing is chosen. */
  value: number | '';
  onChange: (value: number | '') => void;
  error?: string | false | undefined;
  description?: string;
  placeholder?: string;
}

/** A whole number, in the browser's own field for one. */
export function CountInput({ value, onChange, ...props }: CountInputProps) {
  return <TextInput type="number" inputMode="numeric" step={1} value={value} onChange={(event) => onChange(event.currentTarget.value === '' ? '' : Math.trunc(event.currentTarget.valueAsNumber))} {...props} />;
}
