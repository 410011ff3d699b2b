import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { PencilIcon, TrashIcon } from '../brand/icons.tsx';

interface RowActionsProps {
  /** What the row is about. */
  name: string;
  /** What the dialog is for. Default: to edit or test. */
  editLabel?: string;
  onEdit: () => void;
  onDelete: () => void;
}

/** The head of a column of buttons. */
export function ActionsHead() {
  return (
    <th scope="col">
      <VisuallyHidden>Actions</VisuallyHidden>
    </th>
  );
}

/** The buttons at the end of a row. */
export function RowActions({ name, editLabel = 'Edit or test', onEdit, onDelete }: RowActionsProps) {
  return (
    <>
      <Tooltip label={editLabel}>
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
