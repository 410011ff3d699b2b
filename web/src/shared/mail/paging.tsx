import { Button } from '@mantine/core';
import { ArrowLeftIcon, ArrowRightIcon } from '../../ground/brand/icons.tsx';
import classes from './mail.module.css';

interface PagingProps {
  page: number;
  hasNext: boolean;
  onPage: (page: number) => void;
}

export function Paging({ page, hasNext, onPage }: PagingProps) {
  if (page === 1 && !hasNext) return null;
  return (
    <nav className={classes.pages} aria-label="Pages">
      {page > 1 && (
        <Button variant="default" size="xs" leftSection={<ArrowLeftIcon />} onClick={() => onPage(page - 1)}>
          Newer
        </Button>
      )}
      <span className="dim">Page {page}</span>
      {hasNext && (
        <Button variant="default" size="xs" rightSection={<ArrowRightIcon />} onClick={() => onPage(page + 1)}>
          Older
        </Button>
      )}
    </nav>
  );
}
