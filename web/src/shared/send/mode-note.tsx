import { useQuery } from '@tanstack/react-query';
import classes from './send.module.css';
import { modeQuery } from './send-api.ts';

/** Where messages go. It stands on every page of Send. */
export function ModeNote() {
  const { data } = useQuery(modeQuery);
  if (!data) return null;
  return (
    <span className={classes.mode} data-mode={data.delivery}>
      {data.delivery === 'capture'
        ? 'Nothing leaves this machine: messages are captured.'
        : 'Live: messages leave for their recipients, unless their domain is captured.'}
    </span>
  );
}
