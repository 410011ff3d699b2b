import { ActionIcon, Alert, Button, Select, Skeleton, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { PlusIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { ListBar, RowCheck } from '../../../ground/lists/list-bar.tsx';
import { SavedViews } from '../../../ground/lists/saved-views.tsx';
import { useRows, type Rows } from '../../../ground/lists/use-rows.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Ago } from '../../../ground/shell/when.tsx';
import { domainsQuery } from '../../../shared/mail/mail-api.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { CsvButtons } from '../../../shared/send/csv-buttons.tsx';
import classes from '../../../shared/send/send.module.css';
import { NewTemplateDialog } from './new-template-dialog.tsx';
import { removeTemplate, templatesQuery, type Template } from './templates-api.ts';
import { templatesExport } from './templates-csv.ts';

interface RowProps {
  template: Template;
  domain: string | undefined;
  rows: Rows<Template>;
}

function Row({ template, domain, rows }: RowProps) {
  const { name, description, createdAt, createdBy } = template;
  return (
    <li className={mailClasses.row} data-row={name} data-chosen={rows.chosen.has(name) || undefined}>
      <RowCheck rows={rows} id={name} name={name} />
      <Link to="/templates/$name" params={{ name }} search={domain ? { domain } : {}} className={mailClasses.open}>
        <span>
          <span className={mailClasses.subject}>{name}</span>
          <span className={mailClasses.facts}>
            {description && <span>{description}</span>}
            <span>
              created <Ago at={new Date(createdAt)} />
              {createdBy && ` by ${createdBy}`}
            </span>
          </span>
        </span>
      </Link>
      {rows.canChoose && (
        <Tooltip label="Delete">
          <ActionIcon className={mailClasses.delete} aria-label={`Delete ${name}`} onClick={() => rows.remove([name])}>
            <TrashIcon />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

function Empty({ domain, onNew }: { domain: string | undefined; onNew: (() => void) | undefined }) {
  return (
    <Notice title="No templates yet" action={onNew && <Button onClick={onNew}>New template</Button>}>
      {domain
        ? `${domain} has no templates of its own. Its messages can be made from those of the account.`
        : 'A message names a template and its variables, and Galley fills them in.'}
    </Notice>
  );
}

/** Texts that messages are made from, of the account or of a domain. */
export function TemplatesPage() {
  const search = useSearch({ from: '/shell/templates' });
  const { domain } = search;
  const navigate = useNavigate();
  const { canWrite } = useRole('templates');
  const { data: domains = [] } = useQuery(domainsQuery);
  const templates = useQuery(templatesQuery(domain));
  const [isOpen, dialog] = useDisclosure();
  const items = templates.data ?? [];
  const deletion = {
    one: 'template',
    many: 'templates',
    remove: (name: string) => removeTemplate({ domain, name }),
    queryKey: ['templates'],
  };
  const rows = useRows({ items, idOf: ({ name }) => name, deletion: canWrite ? deletion : undefined });
  return (
    <>
      <PageHead
        title="Templates"
        lead="Texts with variables, in versions. Messages, placement tests and checks name them and say what the variables are."
      >
        {items.length > 0 && <CsvButtons of="templates" name="templates" {...templatesExport(items)} />}
        {canWrite && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={dialog.open}>
            New template
          </Button>
        )}
      </PageHead>
      <div className={classes.search}>
        <Select
          aria-label="Templates of"
          w={260}
          clearable
          searchable
          placeholder="The account, for all domains"
          value={domain ?? null}
          data={domains.map(({ name }) => name)}
          onChange={(next) => void navigate({ to: '/templates', search: next ? { domain: next } : {} })}
        />
      </div>
      <SavedViews list="templates" to="/templates" search={search} />
      {templates.error && (
        <Alert color="red" title="The templates could not be loaded">
          {sentenceOf(templates.error)}
        </Alert>
      )}
      {templates.isPending && <Skeleton height={110} />}
      {templates.data?.length === 0 && <Empty domain={domain} onNew={canWrite ? dialog.open : undefined} />}
      {items.length > 0 && (
        <>
          <ListBar rows={rows} one="template" total={items.length} />
          <ul ref={rows.list} className={mailClasses.rows} aria-label="Templates">
            {rows.shown.map((template) => (
              <Row key={template.id} template={template} domain={domain} rows={rows} />
            ))}
          </ul>
        </>
      )}
      {isOpen && <NewTemplateDialog domain={domain} onClose={dialog.close} />}
    </>
  );
}
