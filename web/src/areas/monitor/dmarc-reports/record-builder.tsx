import { Alert, Button, NativeSelect, Skeleton, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sentenceOf } from '../../../ground/api.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { count, figure } from '../../../ground/words.ts';
import { recordQuery, type DmarcDomain, type DmarcRecord, type WantedTags } from './dmarc-api.ts';
import classes from './dmarc.module.css';

type Policy = DmarcRecord['policy'];

const SAME = 'same';
const POLICIES = [
  { value: 'none', label: 'none: nothing, only report' },
  { value: 'quarantine', label: 'quarantine: to the spam folder' },
  { value: 'reject', label: 'reject: refuse it' },
];
const ALIGNMENTS = [
  { value: 'r', label: 'relaxed: names below count, too' },
  { value: 's', label: 'strict: the very same domain' },
];

/** What is built: what is asked for, and for the rest what is published. */
function tagsOf(policy: Policy, wanted: WantedTags): Required<WantedTags> {
  return {
    p: wanted.p ?? policy.p,
    sp: wanted.sp ?? policy.sp ?? SAME,
    np: wanted.np ?? policy.np ?? SAME,
    adkim: wanted.adkim ?? policy.adkim,
    aspf: wanted.aspf ?? policy.aspf,
    t: wanted.t ?? policy.t,
  };
}

/** What the record would have asked for, by the reports that there are. */
function consequence({ p, t }: Required<WantedTags>, reported: DmarcDomain | undefined): string {
  if (p === 'none') return 'With p=none nothing changes for your mail; reports come.';
  const done = p === 'quarantine' ? 'to put into the spam folder' : 'to refuse';
  const trial = t === 'y' ? ' While t=y is there, they are asked for the next weaker policy.' : '';
  if (!reported) return `Nothing was reported yet: what receivers would be asked ${done} is not known.${trial}`;
  const { messages, fail, yours } = reported;
  return (
    `Of ${count(messages, 'message')} that were reported, receivers would have been asked ${done} ${figure(fail)}; ` +
    `${figure(yours)} of them look like yours.${trial}`
  );
}

interface FieldsProps {
  tags: Required<WantedTags>;
  onChange: (wanted: WantedTags) => void;
}

function Fields({ tags, onChange }: FieldsProps) {
  const choice = (tag: Exclude<keyof WantedTags, 't'>, label: string, data: { value: string; label: string }[]) => (
    <NativeSelect
      label={label}
      data={data}
      value={tags[tag]}
      onChange={(event) => onChange({ [tag]: event.currentTarget.value })}
    />
  );
  const asAbove = (label: string) => [{ value: SAME, label }, ...POLICIES];
  return (
    <div className={classes.builder}>
      {choice('p', 'Mail that fails (p)', POLICIES)}
      {choice('sp', 'The same of names below (sp)', asAbove('as for the domain'))}
      {choice('np', 'Of names that do not exist (np)', asAbove('as for names below'))}
      {choice('adkim', 'DKIM has to match (adkim)', ALIGNMENTS)}
      {choice('aspf', 'SPF has to match (aspf)', ALIGNMENTS)}
      <Switch
        label="Trial (t=y)"
        description="Receivers are asked for the next weaker policy."
        checked={tags.t === 'y'}
        onChange={(event) => onChange({ t: event.currentTarget.checked ? 'y' : 'n' })}
      />
    </div>
  );
}

function Published({ data, domain }: { data: DmarcRecord; domain: string }) {
  if (data.dns === 'unknown')
    return (
      <Alert color="yellow" title="DNS did not say whether there is a record">
        What is built below begins anew. If a record is published, look again when DNS answers, or what it says is lost.
      </Alert>
    );
  if (data.current === '') return <p className={classes.text}>There is no record yet.</p>;
  return (
    <>
      <p className={classes.text}>
        Published at _dmarc.{data.policy_domain ?? domain}.{' '}
        {data.configured ? 'Its reports come here.' : 'Its reports do not come here yet.'}
      </p>
      <code className={classes.code}>{data.current}</code>
      {data.notes.map(({ message }) => (
        <p key={message} className={classes.text}>
          {message}
        </p>
      ))}
    </>
  );
}

interface RecordBuilderProps {
  domain: string;
  /** Undefined: nothing was reported of the domain. */
  reported: DmarcDomain | undefined;
  /** What was chosen; the rest is as published. */
  wanted: WantedTags;
  onChange: (wanted: WantedTags) => void;
}

/** The record that is there, and the one to publish, as it is wanted. */
export function RecordBuilder({ domain, reported, wanted, onChange }: RecordBuilderProps) {
  const { data: published, error } = useQuery(recordQuery(domain));
  const tags = published && tagsOf(published.policy, wanted);
  const isAsPublished = Object.keys(wanted).length === 0;
  const { data: chosen, error: unbuilt } = useQuery({
    ...recordQuery(domain, tags && askedOf(tags)),
    enabled: tags !== undefined && !isAsPublished,
  });
  const built = isAsPublished ? published : chosen;
  const failure = error ?? unbuilt;
  if (failure)
    return (
      <Alert color="red" title="The record could not be checked">
        {sentenceOf(failure)}
      </Alert>
    );
  if (!published || !tags) return <Skeleton height={320} />;
  return (
    <div className={classes.record}>
      <Published data={published} domain={domain} />
      <Fields tags={tags} onChange={(more) => onChange({ ...wanted, ...more })} />
      <p className={classes.text} role="status">
        {consequence(tags, reported)}
      </p>
      {built ? (
        <CopyField label={`TXT record to publish at ${built.name}`} value={built.entry} />
      ) : (
        <Skeleton height={58} />
      )}
      {!isAsPublished && (
        <Button size="compact-sm" variant="default" style={{ justifySelf: 'start' }} onClick={() => onChange({})}>
          As published
        </Button>
      )}
      {published.authorizations
        .filter(({ state }) => state !== 'published')
        .map(({ address, name, value, state }) => (
          <CopyField
            key={address}
            label={`TXT record at ${name}`}
            description={
              `Allows reports about this domain to go to ${address}. ` +
              (state === 'missing'
                ? 'It is missing: receivers send nothing there.'
                : 'DNS did not say whether it is there.')
            }
            value={value}
          />
        ))}
    </div>
  );
}

/** The same for the service, which leaves out what says nothing new. */
function askedOf({ p, sp, np, ...others }: Required<WantedTags>): Required<WantedTags> {
  const below = sp === SAME ? p : sp;
  return { p, sp: below, np: np === SAME ? below : np, ...others };
}
