// What a tracked link looks like, and the host on which it stands.
import { Alert, Button, Select, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { fieldOf, sentenceOf } from '../../../ground/api.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import { useHost, type Tracking } from './tracking-api.ts';
import classes from './tracking.module.css';

interface LinksProps {
  domain: string;
  tracking: Tracking;
}

const TARGET = 'https://shop.example/spring';

/** The beginning and the end of a token, as long as one is. */
const TOKEN = 'ZTZiOGY0YTkx…c3ByaW5n';

const SCHEMES = [
  { value: 'http', label: 'http' },
  { value: 'https', label: 'https' },
];

/** `host`: as it is now, the prefix before the name of the domain. */
function HostForm({ domain, host, scheme }: { domain: string; host: string; scheme: Tracking['web_scheme'] }) {
  const { canWrite } = useRole('domains');
  const change = useHost(domain);
  const prefix = host.slice(0, -domain.length - 1);
  const [draft, setDraft] = useState({ prefix, scheme });
  const isChanged = draft.prefix.trim() !== prefix || draft.scheme !== scheme;
  const edit = (part: Partial<typeof draft>): void => {
    setDraft({ ...draft, ...part });
    change.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate({ web_prefix: draft.prefix.trim(), web_scheme: draft.scheme });
  };
  const field = change.error ? fieldOf(change.error, ['web_prefix', 'web_scheme']) : undefined;
  if (!canWrite) return null;
  return (
    <form onSubmit={submit} noValidate>
      {change.error && field !== 'web_prefix' && (
        <Alert color="red" mb="sm" title="Nothing was changed">
          {sentenceOf(change.error)}
        </Alert>
      )}
      <div className={classes.hostForm}>
        <Select
          label="Scheme"
          data={SCHEMES}
          allowDeselect={false}
          value={draft.scheme}
          onChange={(value) => value && edit({ scheme: value as typeof scheme })}
        />
        <TextInput
          label={`Name before .${domain}`}
          value={draft.prefix}
          error={field === 'web_prefix' && sentenceOf(change.error)}
          onChange={(event) => edit({ prefix: event.currentTarget.value })}
        />
        <Button type="submit" loading={change.isPending} disabled={!isChanged || draft.prefix.trim() === ''}>
          Save host
        </Button>
      </div>
      <p className={classes.about}>
        Links that have left keep the host that they left with. It works as long as its CNAME record stays in DNS.{' '}
        {draft.scheme === 'https' && 'For https, the proxy before this installation needs a certificate of this host.'}
      </p>
    </form>
  );
}

function Sample({ start }: { start: string | null }) {
  const written = `<a href="${TARGET}">`;
  return (
    <dl className={classes.sample}>
      <dt>As written</dt>
      <dd>
        <code>{written}</code>
      </dd>
      <dt>As sent</dt>
      <dd>
        <code>{start === null ? written : `<a href="${start}/c/${TOKEN}">`}</code>
      </dd>
      {start !== null && (
        <>
          <dt>Image of opens</dt>
          <dd>
            <code>{`<img src="${start}/o/${TOKEN}" width="1" height="1" alt="">`}</code>
          </dd>
        </>
      )}
    </dl>
  );
}

export function TrackedLinks({ domain, tracking }: LinksProps) {
  const { start_with: start, host, host_target: target, is_host_used: isUsed } = tracking.links;
  return (
    <section className={classes.part} aria-label="Links">
      <h2>What a tracked link looks like</h2>
      <p className={classes.about}>
        The token holds the target, the message and the recipient, and is signed: nobody can make one that leads
        elsewhere. It stops working when the domain or the account is deleted.
      </p>
      <Sample start={start} />
      {host !== null && target !== null && (
        <>
          <h3 className={classes.host}>
            Host of this domain {isUsed ? <Chip tone="good">used</Chip> : <Chip>not found in DNS</Chip>}
          </h3>
          <p className={classes.about}>
            {isUsed
              ? 'Links start with a host of this domain.'
              : `Links start with ${start ?? 'no address'} until this CNAME record is found.`}{' '}
            <Link to="/domains/$domain" params={{ domain }}>
              Verify the records of the domain
            </Link>{' '}
            to look for it now.
          </p>
          <div className={classes.fields}>
            <CopyField label="CNAME name" value={host} />
            <CopyField label="CNAME value" value={target} />
          </div>
          <HostForm key={`${host} ${tracking.web_scheme}`} domain={domain} host={host} scheme={tracking.web_scheme} />
        </>
      )}
    </section>
  );
}
