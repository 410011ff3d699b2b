import { Switch, Tooltip } from '@mantine/core';
import { CHECK_NAMES, CHECKS, type CheckName } from '../../ground/checks.ts';
import classes from './message.module.css';

interface CheckSwitchesProps {
  title?: string;
  wanted: CheckName[];
  onChange: (wanted: CheckName[]) => void;
}

/** The switches of the checks that run in addition to the screenshots. */
export function CheckSwitches({ title = 'Also check the content', wanted, onChange }: CheckSwitchesProps) {
  return (
    <fieldset className={classes.checks}>
      <legend>{title}</legend>
      {CHECK_NAMES.map((name) => (
        <Tooltip key={name} label={CHECKS[name].about} multiline maw={260} refProp="rootRef">
          <Switch
            label={CHECKS[name].name}
            checked={wanted.includes(name)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked
                  ? CHECK_NAMES.filter((one) => one === name || wanted.includes(one))
                  : wanted.filter((one) => one !== name),
              )
            }
          />
        </Tooltip>
      ))}
    </fieldset>
  );
}
