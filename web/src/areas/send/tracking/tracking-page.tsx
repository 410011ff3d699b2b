import { Alert, Button, Radio, Skeleton, Stack, Switch, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { sentenceOf, statusOf } from '../../../ground/api.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { NotLoaded } from '../../../shared/report/check-gate.tsx';
import { TrackedLinks } from './tracked-links.tsx';
import { trackingQuery, useChange, type Tracking } from './tracking-api.ts';
import classes from './tracking.module.css';

interface PartProps {
  domain: string;
  tracking: Tracking;
}

const yesOrNo = (isOn: boolean) => (isOn ? ('yes' as const) : ('no' as const));

function Part({
  title,
  about,
  error,
  children,
}: Record<'title', string> & Record<'about' | 'children', ReactNode> & { error: Error | null }) {
  return (
    <section className={classes.part} aria-label={title}>
      <h2>{title}</h2>
      <p className={classes.about}>{about}</p>
      {error && (
        <Alert color="red" mb="sm" title="Nothing was changed">
          {sentenceOf(error)}
        </Alert>
      )}
      {children}
    </section>
  );
}

const CLICKS = [
  { value: 'no', label: 'Off', about: 'Links stay as they are written.' },
  { value: 'yes', label: 'HTML and plain text', about: 'All links are rewritten.' },
  { value: 'htmlonly', label: 'HTML only', about: 'Plain text keeps its links, which readers see in full there.' },
] as const;

function Clicks({ domain, tracking }: PartProps) {
  const { canWrite } = useRole('domains');
  const change = useChange(domain, 'click');
  const { active } = tracking.click;
  return (
    <Part
      title="Clicks"
      error={change.error}
      about={
        <>
          Links lead through this installation, which records the click and redirects. Links to unsubscribe and links
          with the attribute <code>disable-tracking</code> stay as they are.
        </>
      }
    >
      <Radio.Group
        aria-label="Clicks"
        value={active === 'htmlonly' ? active : yesOrNo(active)}
        onChange={(value) => change.mutate({ active: value as (typeof CLICKS)[number]['value'] })}
      >
        <Stack gap="sm">
          {CLICKS.map(({ value, label, about }) => (
            <Radio
              key={value}
              value={value}
              label={label}
              description={about}
              disabled={!canWrite || change.isPending}
            />
          ))}
        </Stack>
      </Radio.Group>
    </Part>
  );
}

function Opens({ domain, tracking }: PartProps) {
  const { canWrite } = useRole('domains');
  const change = useChange(domain, 'open');
  const { active, place_at_the_top: isAtTop } = tracking.open;
  const isDisabled = !canWrite || change.isPending;
  return (
    <Part
      title="Opens"
      error={change.error}
      about={
        'An invisible image in the HTML records that the message was opened. Apple Mail and Gmail load images through ' +
        'proxies; those opens are marked and not counted as unique.'
      }
    >
      <Stack gap="sm">
        <Switch
          label="Track opens"
          checked={active}
          disabled={isDisabled}
          onChange={(event) => change.mutate({ active: yesOrNo(event.currentTarget.checked) })}
        />
        <Switch
          label="Put the image at the top"
          aria-label="Put the image at the top"
          description="Gmail cuts long messages; an image at the top is loaded even then."
          checked={isAtTop}
          disabled={isDisabled}
          onChange={(event) => change.mutate({ place_at_the_top: yesOrNo(event.currentTarget.checked) })}
        />
      </Stack>
    </Part>
  );
}

function Footer({ domain, tracking }: PartProps) {
  const { canWrite } = useRole('domains');
  const change = useChange(domain, 'unsubscribe');
  const { active, html_footer: html, text_footer: text } = tracking.unsubscribe;
  const [draft, setDraft] = useState({ html, text });
  const isChanged = draft.html !== html || draft.text !== text;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate({ html_footer: draft.html, text_footer: draft.text });
  };
  return (
    <Part
      title="Unsubscribe footer"
      error={change.error}
      about={
        <>
          Added below messages that have no unsubscribe link of their own. <code>%unsubscribe_url%</code> becomes the
          link of each recipient, and <code>%tag_unsubscribe_url%</code> one for the tags of the message only.
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Switch
            label="Add the footer"
            checked={active}
            disabled={!canWrite || change.isPending}
            onChange={(event) => change.mutate({ active: yesOrNo(event.currentTarget.checked) })}
          />
          <Textarea
            label="HTML footer"
            value={draft.html}
            disabled={!canWrite}
            minRows={4}
            autosize
            classNames={{ input: classes.code! }}
            onChange={(event) => setDraft({ ...draft, html: event.currentTarget.value })}
          />
          <Textarea
            label="Plain-text footer"
            value={draft.text}
            disabled={!canWrite}
            minRows={3}
            autosize
            classNames={{ input: classes.code! }}
            onChange={(event) => setDraft({ ...draft, text: event.currentTarget.value })}
          />
          {canWrite && (
            <Button type="submit" className={classes.save!} loading={change.isPending} disabled={!isChanged}>
              Save footers
            </Button>
          )}
        </Stack>
      </form>
    </Part>
  );
}

/** What is tracked of the mail of a domain. */
export function TrackingPage() {
  const { domain } = useParams({ from: '/shell/domains/$domain/tracking' });
  const query = useQuery(trackingQuery(domain));
  if (statusOf(query.error) === 404)
    return (
      <Notice
        isPage
        title="Domain not found"
        action={<Button renderRoot={(props) => <Link to="/domains" {...props} />}>All domains</Button>}
      />
    );
  if (query.error && !query.data) return <NotLoaded error={query.error} retry={() => void query.refetch()} />;
  const { data: tracking } = query;
  return (
    <>
      <PageHead
        title="Tracking"
        tabTitle={`${domain} · Tracking`}
        lead={
          <>
            For messages from{' '}
            <Link to="/domains/$domain" params={{ domain }}>
              {domain}
            </Link>
            . A message can ask for something else with <code>o:tracking</code>.
          </>
        }
      />
      {!tracking && <Skeleton height={260} />}
      {tracking && (
        <>
          {tracking.notes.length > 0 && (
            <Alert color="yellow" mb="lg" className={classes.notes!} title="Some of this has no effect now">
              {tracking.notes.map((note) => (
                <p key={note}>{note}</p>
              ))}
            </Alert>
          )}
          <Clicks domain={domain} tracking={tracking} />
          <Opens domain={domain} tracking={tracking} />
          <Footer domain={domain} tracking={tracking} />
          <TrackedLinks domain={domain} tracking={tracking} />
        </>
      )}
    </>
  );
}
