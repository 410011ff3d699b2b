import { Pagination } from '@mantine/core';

interface PageNumbersProps {
  /** What is paged, `Pages of users`. */
  label: string;
  pages: number;
  page: number;
  onChange: (page: number) => void;
}

const NAMES = { previous: 'Previous page', next: 'Next page', first: 'First page', last: 'Last page' } as const;

/** The pages of a list, by number; nothing where there is one alone. */
export function PageNumbers({ label, pages, page, onChange }: PageNumbersProps) {
  const total = Math.max(pages, page);
  if (total < 2) return null;
  return (
    <Pagination
      component="nav"
      aria-label={label}
      my="md"
      size="sm"
      total={total}
      value={page}
      onChange={onChange}
      getControlProps={(control) => ({ 'aria-label': NAMES[control] })}
      getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
    />
  );
}
