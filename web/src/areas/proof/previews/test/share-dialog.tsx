import { Alert, Button, Group, Loader, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ExternalLinkIcon, SwapIcon, TrashIcon } from '../../../../ground/brand/icons.tsx';
import { api, pathOf, sentenceOf, shareQuery, type Share } from '../../../../ground/api.ts';
import { CopyField } from '../../../../ground/shell/copy-field.tsx';
import { Dialog } from '../../../../ground/shell/dialog.tsx';
import { useRole } from '../../../../ground/shell/role.ts';
import { Ago, When } from '../../../../ground/shell/when.tsx';

type Change = 'create' | 'enable' | 'disable' | 'rotate' | 'delete';

async function apply(testId: string, change: Change): Promise<Share | null> {
  const path = { test_id: testId };
  switch (change) {
    case 'create':
      return api.call('POST /v1/preview/sharing', { body: path });
    case 'enable':
    case 'disable':
      return api.call('PUT /v1/preview/sharing/{test_id}', { path, body: { enabled: change === 'enable' } });
    case 'rotate':
      return api.call('POST /v1/preview/sharing/{test_id}/rotate', { path });
    case 'delete': {
      await api.call('DELETE /v1/preview/sharing/{test_id}', { path });
      return null;
    }
  }
}

interface LinkProps {
  share: Share;
  isBusy: boolean;
  onChange: (change: Change) => void;
}

function LinkSettings({ share, isBusy, onChange }: LinkProps) {
  const expires = new Date(share.expires_at);
  const isExpired = expires < new Date();
  return (
    <Stack gap="md">
      <CopyField label="Link" value={share.share_url} />
      <Text size="sm" c={isExpired ? 'var(--red-ink)' : 'dimmed'}>
        {isExpired ? 'Expired' : 'Expires'} <Ago at={expires} /> (<When at={expires} />
        ). A new link has a new expiry date.
      </Text>
      <Switch
        label="Link enabled"
        checked={share.enabled}
        disabled={isBusy}
        onChange={(event) => onChange(event.currentTarget.checked ? 'enable' : 'disable')}
      />
      <Group gap={8}>
        <Button
          component="a"
          href={pathOf(share.share_url)}
          target="_blank"
          variant="default"
          size="xs"
          leftSection={<ExternalLinkIcon />}
        >
          Open
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<SwapIcon />}
          loading={isBusy}
          onClick={() => onChange('rotate')}
        >
          New link
        </Button>
        <Button
          variant="subtle"
          color="red"
          size="xs"
          ml="auto"
          leftSection={<TrashIcon />}
          disabled={isBusy}
          onClick={() => onChange('delete')}
        >
          Delete link
        </Button>
      </Group>
    </Stack>
  );
}

interface ShareDialogProps {
  testId: string;
  onClose: () => void;
}

/** Makes, switches, renews and deletes the link of a test. */
export function ShareDialog({ testId, onClose }: ShareDialogProps) {
  const queries = useQueryClient();
  const { canWrite } = useRole();
  const share = useQuery(shareQuery(testId));
  const change = useMutation({
    mutationFn: (wanted: Change) => apply(testId, wanted),
    onSuccess: (changed) => queries.setQueryData(shareQuery(testId).queryKey, changed),
  });
  const error = change.error ?? share.error;
  return (
    <Dialog onClose={onClose} title="Share this test">
      <Stack gap="md">
        {error && (
          <Alert color="red" title="The share link could not be changed">
            {sentenceOf(error)}
          </Alert>
        )}
        {share.isPending && <Loader size="sm" aria-label="Loading" />}
        {share.data === null && (
          <>
            <Text size="sm">
              Anyone with the link can see every screenshot of this test without a key. They cannot change anything.
            </Text>
            <Button loading={change.isPending} disabled={!canWrite} onClick={() => change.mutate('create')}>
              Create a link
            </Button>
          </>
        )}
        {share.data && (
          <LinkSettings share={share.data} isBusy={change.isPending || !canWrite} onChange={change.mutate} />
        )}
      </Stack>
    </Dialog>
  );
}
