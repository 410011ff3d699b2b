import { Alert, Button, Loader, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, pathOf, sentenceOf } from '../../../ground/api.ts';
import { ExternalLinkIcon } from '../../../ground/brand/icons.tsx';
import { placementSharingQuery } from '../../../shared/mail/mail-api.ts';
import { CopyField } from '../../../ground/shell/copy-field.tsx';
import { Dialog } from '../../../ground/shell/dialog.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Ago, When } from '../../../ground/shell/when.tsx';

/** Turns the link of a result on and off. */
export function ShareDialog({ resultId, onClose }: { resultId: string; onClose: () => void }) {
  const queries = useQueryClient();
  const { canWrite } = useRole();
  const sharing = useQuery(placementSharingQuery(resultId));
  const change = useMutation({
    mutationFn: async (enabled: boolean) =>
      (await api.call('PUT /v4/inbox/sharing/{result}', { path: { result: resultId }, query: { enabled } })).sharing,
    onSuccess: (changed) => queries.setQueryData(placementSharingQuery(resultId).queryKey, changed),
  });
  const error = change.error ?? sharing.error;
  const shared = sharing.data;
  const expires = shared?.expires_at ? new Date(shared.expires_at) : null;
  const isExpired = expires !== null && expires < new Date();
  const isOn = Boolean(shared?.enabled && !isExpired);
  return (
    <Dialog onClose={onClose} title="Share this result">
      <Stack gap="md">
        {error && (
          <Alert color="red" title="The share link could not be changed">
            {sentenceOf(error)}
          </Alert>
        )}
        {sharing.isPending && <Loader size="sm" aria-label="Loading" />}
        {shared && !isOn && (
          <>
            <Text size="sm">
              {isExpired
                ? 'The link has expired. Create a new link to share this result again.'
                : 'Anyone with the link can see this result, including seeds and headers, without a key. ' +
                  'They cannot change anything.'}
            </Text>
            <Button loading={change.isPending} disabled={!canWrite} onClick={() => change.mutate(true)}>
              {isExpired ? 'Create a new link' : 'Create a link'}
            </Button>
          </>
        )}
        {shared && isOn && (
          <>
            <CopyField label="Link" value={shared.url} />
            {expires && (
              <Text size="sm" c="dimmed">
                Expires <Ago at={expires} /> (<When at={expires} />
                ).
              </Text>
            )}
            <Switch
              label="Link enabled"
              checked
              disabled={change.isPending || !canWrite}
              onChange={() => change.mutate(false)}
            />
            <Button
              component="a"
              href={pathOf(shared.url)}
              target="_blank"
              variant="default"
              size="xs"
              leftSection={<ExternalLinkIcon />}
              style={{ alignSelf: 'start' }}
            >
              Open
            </Button>
          </>
        )}
      </Stack>
    </Dialog>
  );
}
