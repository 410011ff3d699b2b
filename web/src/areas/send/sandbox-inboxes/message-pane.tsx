import { Alert, Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api, pathOf, sentenceOf } from '../../../ground/api.ts';
import { DownloadButton } from '../../../ground/shell/download-button.tsx';
import { Facts } from '../../../ground/shell/facts.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { bytes, nameBySubject } from '../../../ground/words.ts';
import sendClasses from '../../../shared/send/send.module.css';
import { MessageChecks } from './message-checks.tsx';
import { MessageTabs } from './message-tabs.tsx';
import { MessageTags } from './message-tags.tsx';
import { ReleaseDialog } from './release-dialog.tsx';
import { messageQuery, mimeOf, type Message } from './sandbox-api.ts';
import classes from './sandbox.module.css';

type Kind = 'previews' | 'gate' | 'spam';

/** Larger ones are kept and shown; nothing else takes them. */
const USED_BYTES_MAX = 25 * 1024 * 1024;

/** A subject is encoded as its source is. */
const base64Of = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** Starts a check of the message, and opens its page. */
function useCheck(message: Message) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (kind: Kind): Promise<unknown> => {
      const source = await mimeOf(message);
      if (kind === 'previews') {
        const checks = { link_validation: true, image_validation: true, accessibility: true, code_analysis: true };
        const { id } = await api.call('POST /v2/preview/tests', {
          body: { ...source, subject: base64Of(message.subject), content_checking: checks },
        });
        return navigate({ to: '/previews/$testId', params: { testId: id } });
      }
      if (kind === 'gate') {
        const { id } = (await api.call('POST /v1/inspect/gate', { body: source })).items;
        return navigate({ to: '/gate/$gateId', params: { gateId: id } });
      }
      const { id } = (await api.call('POST /v1/inspect/spam', { body: source })).item;
      return navigate({ to: '/spam/$spamTestId', params: { spamTestId: id } });
    },
  });
}

interface ActionsProps {
  inbox: string;
  message: Message;
  onMark: (isRead: boolean) => void;
  onDelete: () => void;
}

function Actions({ inbox, message, onMark, onDelete }: ActionsProps) {
  const check = useCheck(message);
  const [isReleasing, releasing] = useDisclosure();
  const isLarge = message.size_bytes > USED_BYTES_MAX;
  const one = (kind: Kind, label: string) => (
    <Button
      size="xs"
      variant={kind === 'previews' ? 'filled' : 'default'}
      disabled={check.isPending || isLarge}
      loading={check.isPending && check.variables === kind}
      onClick={() => check.mutate(kind)}
    >
      {label}
    </Button>
  );
  return (
    <>
      <div className={sendClasses.actions}>
        {one('previews', 'Previews and checks')}
        {one('spam', 'Spam test')}
        {one('gate', 'Gate')}
        <Button size="xs" variant="default" disabled={isLarge} onClick={releasing.open}>
          Release…
        </Button>
        <Button size="xs" variant="default" onClick={() => onMark(false)}>
          Unread
        </Button>
        <Button size="xs" variant="default" onClick={onDelete}>
          Delete
        </Button>
      </div>
      {isLarge && (
        <p className={classes.note}>Previews, checks and sending take messages of up to {bytes(USED_BYTES_MAX)}.</p>
      )}
      {check.error && (
        <Alert color="red" mt="sm" title="The check was not started">
          {sentenceOf(check.error)}
        </Alert>
      )}
      {isReleasing && <ReleaseDialog inbox={inbox} messageId={message.id} onClose={releasing.close} />}
    </>
  );
}

interface PaneProps {
  inbox: string;
  id: string;
  onMark: (isRead: boolean) => void;
  onDelete: () => void;
  onClose: () => void;
}

/** One message of an inbox, which is marked as read when it is shown. */
export function MessagePane({ inbox, id, onMark, onDelete, onClose }: PaneProps) {
  const { data: message, error } = useQuery(messageQuery(inbox, id));
  const { canWrite } = useRole();
  const isShown = message !== undefined;
  // Once, when it is shown: who marks it as unread then means it.
  useEffect(() => {
    if (isShown && canWrite) onMark(true);
  }, [id, isShown, canWrite]);
  if (error)
    return (
      <Alert color="red" title="The message could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (!message) return <Skeleton height={420} />;
  return (
    <article aria-label="Message">
      <Button className={classes.back} size="xs" variant="default" onClick={onClose}>
        All messages
      </Button>
      <h2 className={classes.subject}>
        <bdi>{nameBySubject(message.subject).slice(0, 300)}</bdi>
      </h2>
      {canWrite && <Actions inbox={inbox} message={message} onMark={onMark} onDelete={onDelete} />}
      <MessageChecks checks={message.checks} webhook={message.webhook} forward={message.forward} />
      <div className={classes.facts}>
        <Facts
          facts={[
            ['From', <bdi key="from">{message.from || message.mail_from}</bdi>],
            ['To', <bdi key="to">{message.recipients.slice(0, 20).join(', ')}</bdi>],
            ['Came', <When key="when" at={new Date(message.received_at)} />],
            [
              'Size',
              <span key="size">
                {bytes(message.size_bytes)}{' '}
                <DownloadButton
                  path={pathOf(message.source_url)}
                  name={`${message.id}.eml`}
                  size="compact-xs"
                  label="Download the message"
                >
                  Download
                </DownloadButton>
              </span>,
            ],
          ]}
        />
      </div>
      <MessageTags inbox={inbox} message={message} />
      {message.problems.length > 0 && (
        <Alert mb="sm" title="Not all of it could be read">
          {message.problems.join(' ')}
        </Alert>
      )}
      <div className={sendClasses.content}>
        <MessageTabs key={message.id} message={message} />
      </div>
      {message.html !== null && (
        <p className={classes.note}>Pictures from the web are not loaded here. Previews show them.</p>
      )}
    </article>
  );
}
