import { TextInput } from '@mantine/core';

interface CountInputProps {
  label: string;
  name: string;
  min: number;
  max: number;
  /** Default 1: whole numbers only. */
  step?: number;
  /** Empty while nothing is chosen. */
  value: number | '';
  onChange: (value: number | '') => void;
  error?: string | false | undefined;
  description?: string;
  placeholder?: string;
}

/** A number, in the browser's own field for one. */
export function CountInput({ value, onChange, step = 1, ...props }: CountInputProps) {
  const read = (given: number): number => (step === 1 ? Math.trunc(given) : given);
  return (
    <TextInput
      type="number"
      inputMode={step === 1 ? 'numeric' : 'decimal'}
      step={step}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value === '' ? '' : read(event.currentTarget.valueAsNumber))}
      {...props}
    />
  );
}
