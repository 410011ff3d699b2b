import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { DescribeDialog } from './describe-dialog.tsx';
import { SendDialog } from './send-dialog.tsx';
import { versionQuery, versionsQuery, type Place, type ShortVersion } from './templates-api.ts';
import classes from './templates.module.css';
import { useSample } from './use-sample.ts';
import { VersionBar } from './version-bar.tsx';
import { VersionEditor } from './version-editor.tsx';

const searchOf = ({ domain }: Place): { domain?: string } => (domain ? { domain } : {});

/** The version of the address; else the active one, else any. */
function choose(versions: readonly ShortVersion[], wanted: string | undefined): ShortVersion | undefined {
  return versions.find(({ tag }) => tag === wanted) ?? versions.find(({ active }) => active) ?? versions[0];
}

interface OpenProps {
  place: Place;
  versions: readonly ShortVersion[];
  tag: string;
  canWrite: boolean;
}

/** One version, with what can be done with it. */
function OpenVersion({ place, versions, tag, canWrite }: OpenProps) {
  const navigate = useNavigate();
  const version = useQuery(versionQuery(place, tag));
  const sample = useSample(place);
  const [isSending, setSending] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const open = (next: string | undefined): void =>
    void navigate({
      to: '/templates/$name',
      params: { name: place.name },
      search: { ...searchOf(place), ...(next !== undefined && { version: next }) },
    });
  return (
    <>
      <VersionBar place={place} versions={versions} tag={tag} canWrite={canWrite} onOpen={open}>
        <Button
          size="xs"
          variant="default"
          disabled={isChanged || sample.variables === undefined}
          onClick={() => setSending(true)}
        >
          Send test
        </Button>
      </VersionBar>
      {version.error && (
        <Alert color="red" title="The version could not be loaded">
          {sentenceOf(version.error)}
        </Alert>
      )}
      {version.isPending && <Skeleton height={400} />}
      {version.data && (
        <VersionEditor
          key={version.data.id}
          place={place}
          version={version.data}
          sample={sample}
          canWrite={canWrite}
          onChanged={setChanged}
        />
      )}
      {isSending && (
        <SendDialog place={place} tag={tag} variables={sample.variables ?? {}} onClose={() => setSending(false)} />
      )}
    </>
  );
}

/** A template: its versions, the text of one, and how that looks in clients while it is written. */
export function TemplatePage() {
  const { name } = useParams({ from: '/shell/templates/$name' });
  const { domain, version: wanted } = useSearch({ from: '/shell/templates/$name' });
  const { canWrite } = useRole('templates');
  const place: Place = { domain, name };
  const { data: template, error } = useQuery(versionsQuery(place));
  const sample = useSample(place);
  const [isDescribing, setDescribing] = useState(false);
  const chosen = choose(template?.versions ?? [], wanted);
  return (
    <>
      <PageHead
        title={name}
        lead={
          <>
            {template?.description && <span className={classes.about}>{template.description}</span>}
            <span className={classes.about}>
              {domain ? `Of ${domain}.` : 'Of the account, for all of its domains.'} Written in Handlebars, in HTML or
              MJML.
            </span>
          </>
        }
      >
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link to="/templates" search={searchOf(place)} {...props} />}
        >
          All templates
        </Button>
        {canWrite && template && (
          <Button size="xs" variant="default" onClick={() => setDescribing(true)}>
            Edit description
          </Button>
        )}
      </PageHead>
      {error && (
        <Alert color="red" title="The template could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {!template && !error && <Skeleton height={400} />}
      {template && chosen && (
        <OpenVersion key={chosen.id} place={place} versions={template.versions} tag={chosen.tag} canWrite={canWrite} />
      )}
      {template && !chosen && <VersionEditor place={place} version={undefined} sample={sample} canWrite={canWrite} />}
      {isDescribing && template && (
        <DescribeDialog place={place} description={template.description} onClose={() => setDescribing(false)} />
      )}
    </>
  );
}
