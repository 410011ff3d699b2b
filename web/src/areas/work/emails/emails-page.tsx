import { Alert, Button, Select, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { ListBar, RowCheck } from '../../../ground/lists/list-bar.tsx';
import { SavedViews } from '../../../ground/lists/saved-views.tsx';
import { useRows, type Rows } from '../../../ground/lists/use-rows.ts';
import { PageNumbers } from '../../../ground/shell/page-numbers.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { useShortcuts } from '../../../ground/shell/shortcuts.ts';
import { Ago } from '../../../ground/shell/when.tsx';
import mailClasses from '../../../shared/mail/mail.module.css';
import { stateWords } from '../../../shared/review/review.ts';
import { emailsQuery, labelsQuery, PER_PAGE, type Email } from './emails-api.ts';
import type { EmailsSearch } from './emails-search.ts';
import classes from './emails.module.css';
import { statusWords } from './words.ts';

function Row({ email, rows }: { email: Email; rows: Rows<Email> }) {
  const { id, name, subject, folder, tags, version, owner, updated_at: updated, status, review } = email;
  const { label, tone } = statusWords(status);
  const reviewed = stateWords(review.state);
  return (
    <li className={mailClasses.row} data-row={id} data-chosen={rows.chosen.has(id) || undefined}>
      <RowCheck rows={rows} id={id} name={name} />
      <Link to="/emails/$emailId" params={{ emailId: id }} className={mailClasses.open}>
        <span>
          <span className={mailClasses.subject}>{name}</span>
          <span className={mailClasses.facts}>
            {subject !== '' && subject !== name && <bdi>{subject}</bdi>}
            {folder !== '' && <span>in {folder}</span>}
            {tags.map((tag) => (
              <span key={tag} className={mailClasses.chip}>
                {tag}
              </span>
            ))}
          </span>
        </span>
        <span className={classes.side}>
          <span className={classes.chips}>
            <span className={mailClasses.chip} data-tone={tone}>
              {label}
            </span>
            {review.state !== 'none' && (
              <span className={mailClasses.chip} data-tone={reviewed.tone}>
                {reviewed.label}
              </span>
            )}
          </span>
          <span className={mailClasses.facts}>
            <span>version {version}</span>
            {owner?.name && <span>{owner.name}</span>}
            <Ago at={new Date(updated)} />
          </span>
        </span>
      </Link>
    </li>
  );
}

const deletion = {
  one: 'email',
  many: 'emails',
  remove: (id: string) => api.call('DELETE /v1/emails/{email_id}', { path: { email_id: id } }),
  queryKey: ['emails'],
};

/** Words, folder, tag and order; the address keeps them. */
function Filters({ search, change }: { search: EmailsSearch; change: (next: Partial<EmailsSearch>) => void }) {
  const { data: labels } = useQuery(labelsQuery);
  const [words, setWords] = useState(search.q ?? '');
  const box = useRef<HTMLInputElement>(null);
  useShortcuts({ search: () => box.current?.focus() });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change({ q: words.trim() || undefined });
  };
  const choices = (given: readonly { name: string; count: number }[] = [], chosen: string | undefined) => {
    const found = given.map(({ name, count }) => ({ value: name, label: `${name} (${count})` }));
    return chosen === undefined || found.some(({ value }) => value === chosen)
      ? found
      : [...found, { value: chosen, label: chosen }];
  };
  return (
    <form className={classes.filters} role="search" onSubmit={submit}>
      <TextInput
        ref={box}
        aria-label="Search emails"
        placeholder="Name or subject"
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        Search
      </Button>
      <Select
        aria-label="Folder"
        placeholder="Any folder"
        clearable
        searchable
        value={search.folder ?? null}
        data={choices(labels?.folders, search.folder)}
        onChange={(folder) => change({ folder: folder ?? undefined })}
      />
      <Select
        aria-label="Tag"
        placeholder="Any tag"
        clearable
        searchable
        value={search.tag ?? null}
        data={choices(labels?.tags, search.tag)}
        onChange={(tag) => change({ tag: tag ?? undefined })}
      />
      <Select
        aria-label="Order"
        allowDeselect={false}
        value={search.sort ?? 'updated'}
        data={[
          { value: 'updated', label: 'Last changed first' },
          { value: 'created', label: 'Newest first' },
          { value: 'name', label: 'By name' },
        ]}
        onChange={(sort) => change({ sort: (sort ?? 'updated') as NonNullable<EmailsSearch['sort']> })}
      />
    </form>
  );
}

/** Every email of the account, each with its versions. */
export function EmailsPage() {
  const search = useSearch({ from: '/shell/emails' });
  const navigate = useNavigate();
  const { canWrite } = useRole();
  const { data, error, isPending } = useQuery(emailsQuery(search));
  const change = (next: Partial<EmailsSearch>): void =>
    void navigate({ to: '/emails', search: { ...search, page: undefined, ...next } as EmailsSearch });
  const isSearched = Boolean(search.q || search.folder || search.tag);
  const rows = useRows({
    items: data?.items ?? [],
    idOf: ({ id }) => id,
    deletion: canWrite ? deletion : undefined,
  });
  const start = canWrite && (
    <Button size="xs" component={Link} {...({ to: '/emails/new' } as object)}>
      New email
    </Button>
  );
  return (
    <>
      <PageHead title="Emails" lead="Each email is one thing with its versions; tests hang on a version.">
        {start}
      </PageHead>
      <Filters key={search.q ?? ''} search={search} change={change} />
      <SavedViews list="emails" to="/emails" search={search} />
      {error && (
        <Alert color="red" title="The emails could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={160} />}
      {data?.total === 0 &&
        (isSearched ? (
          <Notice
            title="No email fits"
            action={
              <Button variant="default" onClick={() => change({ q: undefined, folder: undefined, tag: undefined })}>
                Clear the search
              </Button>
            }
          >
            Look for other words, or in another folder.
          </Notice>
        ) : (
          <Notice title="No emails yet" action={start}>
            Paste or drop an email, or name a web address. Its versions and all their tests stay together here.
          </Notice>
        ))}
      {data && data.items.length > 0 && (
        <>
          <ListBar rows={rows} one="email" total={data.total} />
          <ul ref={rows.list} className={mailClasses.rows} aria-label="Emails">
            {rows.shown.map((email) => (
              <Row key={email.id} email={email} rows={rows} />
            ))}
          </ul>
        </>
      )}
      {data && (
        <PageNumbers
          label="Pages of emails"
          pages={Math.ceil(data.total / PER_PAGE)}
          page={search.page ?? 1}
          onChange={(page) => change({ page: page > 1 ? page : undefined })}
        />
      )}
    </>
  );
}
