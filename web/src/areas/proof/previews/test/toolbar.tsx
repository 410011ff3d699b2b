import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import {
  CodeIcon,
  ColumnsIcon,
  DotsIcon,
  DownloadIcon,
  InfoIcon,
  PencilIcon,
  ReloadIcon,
  ShareIcon,
  TrashIcon,
} from '../../../../ground/brand/icons.tsx';
import { api, sentenceOf, testQuery } from '../../../../ground/api.ts';
import { filterClients } from '../../../../shared/proof/filter.ts';
import { PageLink } from '../../../../shared/proof/page-link.tsx';
import { useProof } from '../../../../shared/proof/proof.ts';
import { useProofSearch } from '../../../../shared/proof/use-proof-search.ts';
import { ask, tell } from '../../../../ground/shell/ask.ts';
import { laterPart } from '../../../../ground/shell/later-part.tsx';
import { useRole } from '../../../../ground/shell/role.ts';
import { useShortcuts } from '../../../../ground/shell/shortcuts.ts';
import { useReprocess } from '../../../../shared/client-view/reprocess.ts';

const DetailsDrawer = laterPart(async () => (await import('./details-drawer.tsx')).DetailsDrawer);
const RenameDialog = laterPart(async () => (await import('../../../../ground/shell/rename-dialog.tsx')).RenameDialog);
const ExportDialog = laterPart(async () => (await import('./export-dialog.tsx')).ExportDialog);
const ShareDialog = laterPart(async () => (await import('./share-dialog.tsx')).ShareDialog);
const SourceDrawer = laterPart(async () => (await import('./source-drawer.tsx')).SourceDrawer);

function useRename(testId: string): (name: string) => Promise<unknown> {
  const queries = useQueryClient();
  return async (name) => {
    await api.call('PATCH /v2/preview/tests/{test_id}', { path: { test_id: testId }, body: { name } });
    await Promise.all(
      [testQuery(testId).queryKey, ['tests']].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
  };
}

function useDelete(testId: string, title: string): () => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    try {
      await api.call('DELETE /v2/preview/tests/{test_id}', { path: { test_id: testId } });
    } catch (error) {
      tell({ color: 'red', title: 'The test was not deleted', message: sentenceOf(error) });
      return;
    }
    await navigate({ to: '/previews' });
    queries.removeQueries({ queryKey: ['test', testId] });
    queries.removeQueries({ queryKey: ['results', testId] });
    void queries.invalidateQueries({ queryKey: ['tests'] });
    tell({ message: `“${title}” and its screenshots are deleted.` });
  };
  return () =>
    ask({
      title: 'Delete this test?',
      text: 'Its screenshots, exports and share link are deleted. This cannot be undone.',
      confirm: 'Delete',
      onConfirm: () => void remove(),
    });
}

/** What can be done with a test. */
export function Toolbar() {
  const { testId = '', title, clients } = useProof();
  const [search] = useProofSearch();
  const [isShareOpen, share] = useDisclosure();
  const [isExportOpen, exporting] = useDisclosure();
  const [isSourceOpen, source] = useDisclosure();
  const [isDetailsOpen, details] = useDisclosure();
  const [isRenameOpen, renaming] = useDisclosure();
  const { canWrite } = useRole();
  const reprocess = useReprocess(testId);
  const rename = useRename(testId);
  const askDelete = useDelete(testId, title);
  const again = clients.filter((client) => client.status === 'completed').map((client) => client.id);
  useShortcuts({
    share: share.open,
    export: exporting.open,
    source: source.open,
    details: details.open,
  });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<ColumnsIcon />}
        renderRoot={(props) => <PageLink path={`/previews/${testId}/compare`} {...props} />}
      >
        Compare
      </Button>
      <Button variant="default" size="xs" leftSection={<ShareIcon />} onClick={share.open}>
        Share
      </Button>
      <Button variant="default" size="xs" leftSection={<DownloadIcon />} onClick={exporting.open}>
        Export
      </Button>
      <Button variant="default" size="xs" leftSection={<CodeIcon />} onClick={source.open}>
        Source
      </Button>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label="More actions" title="More actions">
            <DotsIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<InfoIcon />} onClick={details.open}>
            Details
          </Menu.Item>
          <Menu.Item leftSection={<PencilIcon />} disabled={!canWrite} onClick={renaming.open}>
            Rename
          </Menu.Item>
          <Menu.Item
            leftSection={<ReloadIcon />}
            disabled={!canWrite || again.length === 0}
            onClick={() => void reprocess(again)}
          >
            {again.length === 1 ? 'Retake 1 screenshot' : `Retake all ${again.length} screenshots`}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<TrashIcon />} color="red" disabled={!canWrite} onClick={askDelete}>
            Delete test
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {isShareOpen && <ShareDialog testId={testId} onClose={share.close} />}
        {isExportOpen && (
          <ExportDialog
            testId={testId}
            clients={clients}
            shown={filterClients(clients, search)}
            onClose={exporting.close}
          />
        )}
        {isSourceOpen && <SourceDrawer testId={testId} onClose={source.close} />}
        {isRenameOpen && <RenameDialog noun="test" name={title} save={rename} onClose={renaming.close} />}
        {isDetailsOpen && <DetailsDrawer testId={testId} onClose={details.close} />}
      </Suspense>
    </>
  );
}
