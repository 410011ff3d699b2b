import { Alert, Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { useRole } from '../../../ground/shell/role.ts';
import { quietQuery } from './alerts-api.ts';
import classes from './alerts.module.css';

interface Quiet {
  from: string;
  until: string;
}

/** When emails and Slack messages wait. */
export function QuietHoursForm() {
  const { canWrite } = useRole();
  const queries = useQueryClient();
  const { data: saved } = useQuery(quietQuery);
  const [edited, setEdited] = useState<Quiet>();
  const shown = edited ?? { from: saved?.from ?? '', until: saved?.until ?? '' };
  const zone = saved?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const save = useMutation({
    mutationFn: (quiet: Quiet | null) =>
      api.call('PUT /v1/galley/alerts/quiet_hours', {
        body: { quiet_hours: quiet === null ? null : { ...quiet, time_zone: zone } },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['alert-quiet-hours'] });
      setEdited(undefined);
    },
  });
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate(shown));
  return (
    <section aria-labelledby="quiet-hours">
      <h2 id="quiet-hours" className={classes.part}>
        Quiet hours
      </h2>
      <p className={classes.about}>
        Emails and Slack messages wait until the quiet hours end. Webhooks do not wait. Times are of {zone}.
      </p>
      {save.error && (
        <Alert color="red" mb="sm" title="The quiet hours were not saved">
          {sentenceOf(save.error)}
        </Alert>
      )}
      <form className={classes.row} onSubmit={submit} noValidate>
        <TextInput
          type="time"
          label="From"
          value={shown.from}
          disabled={!canWrite}
          onChange={(event) => setEdited({ ...shown, from: event.currentTarget.value })}
        />
        <TextInput
          type="time"
          label="Until"
          value={shown.until}
          disabled={!canWrite}
          onChange={(event) => setEdited({ ...shown, until: event.currentTarget.value })}
        />
        {canWrite && (
          <>
            <Button type="submit" size="sm" variant="default" loading={save.isPending} disabled={!edited}>
              Save
            </Button>
            {saved && (
              <Button size="sm" variant="default" onClick={() => save.mutate(null)}>
                No quiet hours
              </Button>
            )}
          </>
        )}
      </form>
    </section>
  );
}
