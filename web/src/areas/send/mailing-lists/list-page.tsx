import { Alert, Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { ListDialog } from './list-dialog.tsx';
import { ACCESS, repliesOf } from './list-words.ts';
import { listQuery, type MailingList } from './lists-api.ts';
import { membersExport } from './lists-csv.ts';
import classes from './lists.module.css';
import { MemberDialog } from './member-dialog.tsx';
import { Members } from './members.tsx';
import { UploadDialog } from './upload-dialog.tsx';

/** How the list is written to, and by whom. */
function Writing({ list }: { list: MailingList }) {
  const { address, access_level: access } = list;
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return (
    <section className={classes.writing} aria-label="Writing to the list">
      <CopyField label="Write to" value={address} />
      <dl className={classes.rules}>
        <div>
          <dt>Who may write</dt>
          <dd>
            {ACCESS[access].label}. {ACCESS[access].about}
          </dd>
        </div>
        <div>
          <dt>Answers</dt>
          <dd>{repliesOf(list)}</dd>
        </div>
        <div>
          <dt>With a key</dt>
          <dd>
            <code className={classes.call}>{`POST /v3/${domain}/messages  to=${address}`}</code>
            Variables of members, such as %recipient.age%, are filled in.
          </dd>
        </div>
      </dl>
    </section>
  );
}

/** A mailing list: how it is written to, and its members. */
export function ListPage() {
  const { address } = useParams({ from: '/shell/lists/$address' });
  const search = useSearch({ from: '/shell/lists/$address' });
  const { canWrite } = useRole('lists');
  const { data: list, error } = useQuery(listQuery(address));
  const [isSetting, settings] = useDisclosure();
  const [isAdding, adding] = useDisclosure();
  const [isUploading, uploading] = useDisclosure();
  const canChange = canWrite && list !== undefined;
  return (
    <>
      <PageHead title={list?.name || address} lead={list?.description}>
        <Button size="xs" variant="default" renderRoot={(props) => <Link to="/lists" {...props} />}>
          All lists
        </Button>
        {list && list.members_count > 0 && (
          <CsvButtons of="members" name={`members-of-${address}`} {...membersExport(address, search.subscribed)} />
        )}
        {canChange && (
          <>
            <Button size="xs" variant="default" onClick={settings.open}>
              Settings
            </Button>
            <Button size="xs" variant="default" onClick={uploading.open}>
              Add many
            </Button>
            <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={adding.open}>
              Add member
            </Button>
          </>
        )}
      </PageHead>
      {error && (
        <Alert color="red" title="The list could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {!list && !error && <Skeleton height={240} />}
      {list && (
        <>
          <Writing list={list} />
          <Members list={list} search={search} canWrite={canWrite} onAdd={uploading.open} />
        </>
      )}
      {isSetting && list && <ListDialog list={list} onClose={settings.close} />}
      {isAdding && <MemberDialog list={address} onClose={adding.close} />}
      {isUploading && <UploadDialog list={address} onClose={uploading.close} />}
    </>
  );
}
