// Templates as rows of a file.
import { csvTime } from '../../../ground/csv.ts';
import { onePage, type ListExport } from '../../../shared/send/list-pages.ts';
import type { Template } from './templates-api.ts';

export const templatesExport = (templates: readonly Template[]): ListExport => ({
  columns: ['name', 'description', 'created (UTC)', 'created by', 'id'],
  pages: () =>
    onePage(
      templates.map(({ name, description, createdAt, createdBy, id }) => [
        name,
        description,
        csvTime(createdAt),
        createdBy,
        id,
      ]),
    ),
});
