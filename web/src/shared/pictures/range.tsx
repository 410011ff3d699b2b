import classes from './range.module.css';

interface RangeProps {
  label: string;
  /** The name for screen readers. */
  isLabelHidden?: boolean;
  min?: number;
  max?: number;
  unit?: string;
  value: number;
  onChange: (value: number) => void;
}

/** The browser's own slider: small, and right for every kind of input. */
export function Range({ label, isLabelHidden, min = 0, max = 100, unit = '%', value, onChange }: RangeProps) {
  return (
    <label className={classes.range}>
      <span className={isLabelHidden ? classes.hidden : undefined}>{label}</span>
      <input
        type="range"
        min={min}
        max={max}
        value={value}
        aria-valuetext={`${value} ${unit}`}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      {!isLabelHidden && (
        <output>
          {value} {unit}
        </output>
      )}
    </label>
  );
}
