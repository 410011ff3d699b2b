// What the gate does with messages of a domain before they leave.
import { Alert, Button, JsonInput, NativeSelect, Skeleton } from '@mantine/core';
import type { Reply } from '@galley/sdk';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { CHECK_NAMES, CHECKS, type CheckName } from '../../../ground/checks.ts';
import { announce } from '../../../ground/shell/announce.ts';
import { useRole } from '../../../ground/shell/role.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { CheckSwitches } from '../../../shared/message/check-switches.tsx';
import classes from './credentials.module.css';

type Settings = Reply<'GET /v1/galley/domains/{name}/gate'>;
type Mode = Settings['mode'];

function gateQuery(name: string) {
  return queryOptions({
    queryKey: ['domain-gate', name],
    queryFn: ({ signal }) => api.call('GET /v1/galley/domains/{name}/gate', { path: { name } }, { signal }),
  });
}

const MODES: Record<Mode, { label: string; about: string }> = {
  off: { label: 'Off', about: 'Messages leave without being checked.' },
  warn: { label: 'Warn', about: 'Messages leave at once. The verdict is shown beside each of them.' },
  hold: {
    label: 'Hold',
    about: 'Messages wait until they pass. One that fails waits for you to release or drop it, for 48 hours at most.',
  },
  refuse: {
    label: 'Refuse',
    about: 'Messages wait until they pass. One that fails is rejected, and the same content is refused for 24 hours.',
  },
};

function useSave(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ mode, policy, checks }: { mode: Mode; policy: string; checks: CheckName[] }) =>
      api.call('PUT /v1/galley/domains/{name}/gate', {
        path: { name },
        body: {
          mode,
          policy: policy.trim() === '' ? null : (JSON.parse(policy) as Record<string, unknown>),
          checks: checks.length === CHECK_NAMES.length ? null : checks.map((check) => CHECKS[check].gate),
        },
      }),
    onSuccess: (reply) => {
      queries.setQueryData(gateQuery(name).queryKey, reply);
      announce(`Saved. ${MODES[reply.mode].about}`);
    },
  });
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return text.trim() === '';
  }
};

function Form({ settings }: { settings: Settings }) {
  const { canWrite } = useRole('domains');
  const save = useSave(settings.domain);
  const [mode, setMode] = useState(settings.mode);
  const [policy, setPolicy] = useState(settings.policy === null ? '' : JSON.stringify(settings.policy, null, 2));
  const [checks, setChecks] = useState(() =>
    CHECK_NAMES.filter((check) => settings.checks?.includes(CHECKS[check].gate) ?? true),
  );
  const isReady = isJson(policy) && checks.length > 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) save.mutate({ mode, policy, checks });
      }}
    >
      {save.error && (
        <Alert color="red" mb="sm" title="Nothing was changed">
          {sentenceOf(save.error)}
        </Alert>
      )}
      <NativeSelect
        label="Mode"
        description={MODES[mode].about}
        value={mode}
        disabled={!canWrite}
        maw={640}
        mb="md"
        data={Object.entries(MODES).map(([value, { label }]) => ({ value, label }))}
        onChange={(event) => setMode(event.currentTarget.value as Mode)}
      />
      {mode !== 'off' && (
        <fieldset className={classes.checks} disabled={!canWrite}>
          <CheckSwitches title="What it checks" wanted={checks} onChange={setChecks} />
        </fieldset>
      )}
      {mode !== 'off' && (
        <JsonInput
          label="Policy (JSON)"
          description="Leave it empty for the defaults: a finding of severity error fails."
          placeholder={'{ "limits": { "html_bytes_max": 102400 } }'}
          error={isJson(policy) ? undefined : 'The policy must be valid JSON.'}
          value={policy}
          disabled={!canWrite}
          autosize
          minRows={3}
          maw={640}
          mb="md"
          onChange={setPolicy}
        />
      )}
      {canWrite && (
        <Button type="submit" size="xs" loading={save.isPending} disabled={!isReady}>
          Save
        </Button>
      )}
    </form>
  );
}

/** The mode and the policy of the gate. */
export function DomainGate({ domain }: { domain: string }) {
  const settings = useQuery(gateQuery(domain));
  return (
    <section aria-labelledby="domain-gate" className={classes.section}>
      <div className={classes.head}>
        <h2 id="domain-gate">Gate before sending</h2>
      </div>
      <p className={classes.about}>
        Checks each message of this domain before it leaves; the same content is checked once a day. What the gate holds
        is under{' '}
        <Link to="/held" search={{ domain }} className={mailClasses.link}>
          Held messages
        </Link>
        .
      </p>
      {settings.error && (
        <Alert color="red" title="The setting could not be loaded">
          {sentenceOf(settings.error)}
        </Alert>
      )}
      {settings.isPending && <Skeleton height={90} />}
      {settings.data && <Form key={settings.data.domain} settings={settings.data} />}
    </section>
  );
}
