import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import { api } from '../../ground/api.ts';
import { PencilIcon } from '../../ground/brand/icons.tsx';
import { laterPart } from '../../ground/shell/later-part.tsx';

const RenameDialog = laterPart(async () => (await import('../../ground/shell/rename-dialog.tsx')).RenameDialog);

interface RenameButtonProps {
  id: string;
  noun: 'test' | 'gate';
  name: string;
  /** The first keys of the queries that show the name. */
  shownBy: readonly string[];
}

/** Renames an inspection, such as a gate or a spam test. */
export function RenameButton({ id, noun, name, shownBy }: RenameButtonProps) {
  const queries = useQueryClient();
  const [isOpen, dialog] = useDisclosure();
  const save = async (wanted: string): Promise<void> => {
    await api.call('PATCH /v1/inspections/{id}', { path: { id }, body: { name: wanted } });
    await Promise.all(shownBy.map((key) => queries.invalidateQueries({ queryKey: [key] })));
  };
  return (
    <>
      <Button variant="default" size="xs" leftSection={<PencilIcon />} onClick={dialog.open}>
        Rename
      </Button>
      <Suspense>{isOpen && <RenameDialog noun={noun} name={name} save={save} onClose={dialog.close} />}</Suspense>
    </>
  );
}
