import { Alert, Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { sentenceOf, statusOf } from '../../../ground/api.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { figure } from '../../../ground/words.ts';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import { messagesExport } from './sandbox-csv.ts';
import { refusalsOf } from './chaos.ts';
import { ChaosDialog } from './chaos-dialog.tsx';
import { ChecksDialog } from './checks-dialog.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { Messages } from './message-list.tsx';
import { NotifyButton } from './notify-button.tsx';
import { inboxQuery, type Inbox } from './sandbox-api.ts';
import { useInboxEvents } from './use-inbox-events.ts';
import { useMany } from './use-many.ts';

const FROM = '/shell/sandbox/$inbox';

function Empty({ inbox, onConnect }: { inbox: Inbox; onConnect: () => void }) {
  return (
    <Notice title="Waiting for the first message" action={<Button onClick={onConnect}>Show the settings</Button>}>
      Programs that log in over SMTP as {inbox.smtp_user} put their messages here. They appear as they come.
    </Notice>
  );
}

/** Says that the inbox refuses on purpose: who forgets it looks for the fault elsewhere. */
function ChaosNote({ inbox }: { inbox: Inbox }) {
  const refusals = refusalsOf(inbox.chaos);
  if (refusals.length === 0) return null;
  return (
    <Alert title="Chaos is on" mb="md">
      This inbox refuses on purpose: {refusals.join(', ')} of cases.
    </Alert>
  );
}

/** Where its messages go on to. */
function leadOf(inbox: Inbox | undefined): string {
  if (!inbox?.forward) return 'Delivered to nobody.';
  const { to, domain } = inbox.forward;
  const more = to.length > 3 ? ` and ${to.length - 3} more` : '';
  return `Forwarded to ${to.slice(0, 3).join(', ')}${more} by ${domain}, and delivered to nobody else.`;
}

/** The messages of one inbox, as they come. */
export function InboxPage() {
  const { inbox: name } = useParams({ from: FROM });
  const { search } = useSearch({ from: FROM });
  const inbox = useQuery(inboxQuery(name));
  const isLive = useInboxEvents(name);
  const { canWrite } = useRole();
  const [isConnecting, connecting] = useDisclosure();
  const [isChoosing, choosing] = useDisclosure();
  const [isUnsettling, unsettling] = useDisclosure();
  const many = useMany(name);
  const unread = inbox.data?.unread_count ?? 0;
  if (statusOf(inbox.error) === 404)
    return (
      <Notice
        isPage
        title="Inbox not found"
        action={<Button renderRoot={(props) => <Link to="/sandbox" {...props} />}>All inboxes</Button>}
      >
        It was deleted, or it belongs to another account.
      </Notice>
    );
  return (
    <>
      <PageHead
        title={inbox.data?.name ?? name}
        tabTitle={`${unread > 0 ? `(${figure(unread)}) ` : ''}${name} · Sandbox`}
        lead={leadOf(inbox.data)}
      >
        {inbox.data && inbox.data.message_count > 0 && (
          <CsvButtons of="messages" name={`sandbox-${name}`} {...messagesExport(name, search)} />
        )}
        {inbox.data && (
          <Button size="xs" variant="default" onClick={connecting.open}>
            Settings for programs
          </Button>
        )}
        {inbox.data && <NotifyButton inbox={name} />}
        {canWrite && inbox.data && (
          <Button size="xs" variant="default" onClick={choosing.open}>
            On arrival
          </Button>
        )}
        {canWrite && inbox.data && (
          <Button size="xs" variant="default" onClick={unsettling.open}>
            Chaos
          </Button>
        )}
        {canWrite && inbox.data && inbox.data.message_count > 0 && (
          <Button size="xs" variant="default" onClick={() => many.askDelete({}, inbox.data.message_count)}>
            Delete all
          </Button>
        )}
      </PageHead>
      {inbox.error && (
        <Alert color="red" title="The inbox could not be loaded">
          {sentenceOf(inbox.error)}
        </Alert>
      )}
      {inbox.data && <ChaosNote inbox={inbox.data} />}
      {inbox.isPending && <Skeleton height={300} />}
      {inbox.data?.message_count === 0 && <Empty inbox={inbox.data} onConnect={connecting.open} />}
      {inbox.data && inbox.data.message_count > 0 && <Messages inbox={inbox.data} isLive={isLive} />}
      {isChoosing && inbox.data && <ChecksDialog inbox={inbox.data} onClose={choosing.close} />}
      {isUnsettling && inbox.data && <ChaosDialog inbox={inbox.data} onClose={unsettling.close} />}
      {isConnecting && inbox.data && <ConnectDialog inbox={inbox.data} onClose={connecting.close} />}
    </>
  );
}
