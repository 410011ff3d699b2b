import type { ComponentProps } from 'react';
import { RowActions } from '../../ground/shell/row-actions.tsx';
import classes from './send.module.css';

type CellProps = Omit<ComponentProps<typeof RowActions>, 'onEdit'> & {
  /** Undefined where nothing may be changed: the cell is empty. */
  onEdit: (() => void) | undefined;
};

/** The last cell of a row. */
export function ActionsCell({ onEdit, ...of }: CellProps) {
  return <td className={classes.rowActions}>{onEdit && <RowActions {...of} onEdit={onEdit} />}</td>;
}
