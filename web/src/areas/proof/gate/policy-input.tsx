import { NativeSelect, SegmentedControl, Textarea } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { GATE_LIMITS } from '../../../ground/lists.generated.ts';
import { CountInput } from '../../../shared/mail/count-input.tsx';
import mailClasses from '../../../shared/mail/mail.module.css';
import type { WantedPolicy, WrittenPolicy } from './gate-api.ts';
import classes from './gate.module.css';
import { fieldsOf, NO_LIMITS, policyOf, type PolicyFields } from './policy-fields.ts';

interface Kept {
  isJson: boolean;
  fields: PolicyFields;
  json: string;
}

const NOTHING: Kept = { isJson: false, fields: NO_LIMITS, json: '' };
const EXAMPLE =
  '{\n  "fail_on": "error",\n  "rules": { "code/css-border-radius": "off" },\n' +
  '  "limits": { "html_bytes_max": 102400 }\n}';

function faultIn({ isJson, json }: Kept): string | undefined {
  if (!isJson || json.trim() === '') return undefined;
  try {
    JSON.parse(json);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `The policy is not valid JSON: ${error.message}.` : String(error);
  }
}

/** A policy as the page of a new gate keeps it: in the form where it fits. */
export function keptOf(policy: WrittenPolicy): Kept {
  const fields = fieldsOf(policy);
  return fields
    ? { isJson: false, fields, json: '' }
    : { isJson: true, fields: NO_LIMITS, json: JSON.stringify(policy, null, 2) };
}

/** The policy that was used last, and what changes it. */
export function usePolicy() {
  const [kept, setKept] = useLocalStorage<Kept>({
    key: 'galley.gate-policy',
    defaultValue: NOTHING,
    getInitialValueInEffect: false,
  });
  const fields = { ...NO_LIMITS, ...kept.fields };
  return {
    kept: { ...kept, fields },
    set: (changes: Partial<Kept>) => setKept((before) => ({ ...before, ...changes })),
    fault: faultIn(kept),
    read: (): WantedPolicy =>
      kept.isJson ? (kept.json.trim() ? (JSON.parse(kept.json) as WantedPolicy) : {}) : policyOf(fields),
  };
}

interface PolicyInputProps {
  policy: ReturnType<typeof usePolicy>;
  error: string | undefined;
  hasPictures: boolean;
}

type Change = (changes: Partial<PolicyFields>) => void;

function Limits({ fields, change, hasPictures }: { fields: PolicyFields; change: Change; hasPictures: boolean }) {
  return (
    <div className={mailClasses.pair}>
      <NativeSelect
        label="Fail on"
        value={fields.failOn}
        onChange={(event) => change({ failOn: event.currentTarget.value as PolicyFields['failOn'] })}
        data={[
          { value: 'error', label: 'Errors' },
          { value: 'warning', label: 'Warnings and errors' },
          { value: 'info', label: 'Notes, warnings and errors' },
          { value: 'never', label: 'Limits only' },
        ]}
      />
      {GATE_LIMITS.map(({ field, label, max }) => (
        <CountInput
          key={field}
          label={label}
          name={field}
          min={0}
          max={max}
          placeholder="No limit"
          value={fields[field]}
          onChange={(value) => change({ [field]: value })}
        />
      ))}
      {hasPictures && (
        <>
          <CountInput
            label="Allowed pixel difference (%)"
            name="difference"
            min={0}
            max={100}
            step={0.01}
            placeholder="0.1"
            value={fields.difference}
            onChange={(difference) => change({ difference })}
          />
          <NativeSelect
            label="Missing baseline"
            value={fields.missingBaseline}
            onChange={(event) =>
              change({ missingBaseline: event.currentTarget.value as PolicyFields['missingBaseline'] })
            }
            data={[
              { value: 'warn', label: 'Warning' },
              { value: 'fail', label: 'Error' },
              { value: 'ignore', label: 'Note' },
            ]}
          />
        </>
      )}
    </div>
  );
}

/** What fails the gate: chosen limits, or the policy as a file has it. */
export function PolicyInput({ policy: { kept, set, fault }, error, hasPictures }: PolicyInputProps) {
  const { isJson, fields, json } = kept;
  const toJson = (): void => {
    const own = policyOf(fields);
    set({
      isJson: true,
      ...(json.trim() === '' && Object.keys(own).length > 0 && { json: JSON.stringify(own, null, 2) }),
    });
  };
  return (
    <section className={classes.part} aria-label="Policy">
      <div className={classes.partHead}>
        <h2>Policy</h2>
        <SegmentedControl
          aria-label="Policy format"
          value={isJson ? 'json' : 'limits'}
          onChange={(value) => (value === 'json' ? toJson() : set({ isJson: false }))}
          data={[
            { value: 'limits', label: 'Limits' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </div>
      {isJson ? (
        <Textarea
          aria-label="Policy as JSON"
          description="The format of galley.policy.json."
          inputWrapperOrder={['input', 'error', 'description']}
          placeholder={EXAMPLE}
          value={json}
          error={fault ?? error}
          spellCheck={false}
          autosize
          minRows={7}
          maxRows={18}
          classNames={{ input: classes.json }}
          onChange={(event) => set({ json: event.currentTarget.value })}
        />
      ) : (
        <>
          {error && (
            <p className={classes.error} role="alert">
              {error}
            </p>
          )}
          <Limits
            fields={fields}
            change={(changes) => set({ fields: { ...fields, ...changes } })}
            hasPictures={hasPictures}
          />
        </>
      )}
    </section>
  );
}
