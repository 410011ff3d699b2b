import { ActionIcon, Alert, Button, Select, Skeleton, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { PlusIcon, TrashIcon } from '../../../ground/brand/icons.tsx';
import { ask, tell } from '../../../ground/shell/ask.ts';
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

function useDelete(domain: string | undefined): (template: Template) => void {
  const queries = useQueryClient();
  const remove = async ({ name }: Template): Promise<void> => {
    try {
      await removeTemplate({ domain, name });
    } catch (error) {
      tell({ color: 'red', title: 'The template was not deleted', message: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: ['templates'] });
  };
  return (template) =>
    ask({
      title: 'Delete this template?',
      text: `${template.name} goes with all of its versions. Calls that name it will be refused.`,
      confirm: 'Delete',
      onConfirm: () => void remove(template),
    });
}

interface RowProps {
  template: Template;
  domain: string | undefined;
  onDelete: (() => void) | undefined;
}

function Row({ template, domain, onDelete }: RowProps) {
  const { name, description, createdAt, createdBy } = template;
  return (
    <li className={mailClasses.row}>
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
      {onDelete && (
        <Tooltip label="Delete">
          <ActionIcon className={mailClasses.delete} aria-label={`Delete ${name}`} onClick={onDelete}>
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
  const { domain } = useSearch({ from: '/shell/templates' });
  const navigate = useNavigate();
  const { canWrite } = useRole('templates');
  const { data: domains = [] } = useQuery(domainsQuery);
  const templates = useQuery(templatesQuery(domain));
  const [isOpen, dialog] = useDisclosure();
  const askDelete = useDelete(domain);
  const items = templates.data ?? [];
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
      {templates.error && (
        <Alert color="red" title="The templates could not be loaded">
          {sentenceOf(templates.error)}
        </Alert>
      )}
      {templates.isPending && <Skeleton height={110} />}
      {templates.data?.length === 0 && <Empty domain={domain} onNew={canWrite ? dialog.open : undefined} />}
      {items.length > 0 && (
        <ul className={mailClasses.rows} aria-label="Templates">
          {items.map((template) => (
            <Row
              key={template.id}
              template={template}
              domain={domain}
              onDelete={canWrite ? () => askDelete(template) : undefined}
            />
          ))}
        </ul>
      )}
      {isOpen && <NewTemplateDialog domain={domain} onClose={dialog.close} />}
    </>
  );
}
