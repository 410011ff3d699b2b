import { ActionIcon, Tooltip } from '@mantine/core';
import { PencilIcon, TrashIcon } from '../brand/icons.tsx';

interface RowActionsProps {
  /** What the row is about. */
  name: string;
  onEdit: () => void;
  onDelete: () => void;
}

/** The buttons at the end of a row whose dialog also tests it. */
export function RowActions({ name, onEdit, onDelete }: RowActionsProps) {
  return (
    <>
      <Tooltip label="Edit or test">
        <ActionIcon aria-label={`Edit ${name}`} onClick={onEdit}>
          <PencilIcon />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Delete">
        <ActionIcon aria-label={`Delete ${name}`} onClick={onDelete}>
          <TrashIcon />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
