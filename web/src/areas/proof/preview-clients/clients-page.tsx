import { Alert, Button, SegmentedControl, Skeleton, Table, TextInput, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Fragment, useRef, useState } from 'react';
import { ChevronRightIcon, SearchIcon } from '../../../ground/brand/icons.tsx';
import { clientsQuery, sentenceOf, type EmailClient } from '../../../ground/api.ts';
import { DarkMark, FIDELITY, FidelityMark, type Fidelity } from '../../../shared/proof/client-marks.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useShortcuts } from '../../../ground/shell/shortcuts.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { calendarDay, engineName } from '../../../ground/words.ts';
import { families } from '../../../shared/clients/client-choice.ts';
import classes from './clients-page.module.css';

const DARK_MODES = {
  none: '–',
  authored: 'styles of the message',
  partial: 'light colors darkened',
  full: 'all colors inverted',
};

/** The dates of the oldest and the newest fact that a screenshot is based on. */
function datesOf(client: EmailClient): string {
  const months = client.sources.map((source) => source.date.slice(0, 7)).sort();
  const [oldest = '–', newest = oldest] = [months[0], months.at(-1)];
  return oldest === newest ? newest : `${oldest} to ${newest}`;
}

function Sources({ client }: { client: EmailClient }) {
  return (
    <div className={classes.sources}>
      <p>
        {FIDELITY[client.fidelity].about} Here: {engineName(`${client.engine} ${client.engine_version}`)}
        {client.wanted_engine !== client.engine && `; preferred if installed: ${client.wanted_engine}`}.
        {client.published_behaviors &&
          ` ${client.published_behaviors.family}: ${client.published_behaviors.reproduced} of ` +
            `${client.published_behaviors.published} published behaviors reproduced.`}
      </p>
      <ul>
        {client.sources.map((source) => (
          <li key={`${source.what} ${source.url}`}>
            <time dateTime={source.date}>{calendarDay(source.date)}</time>
            {/^https?:/.test(source.url) ? (
              <a href={source.url} target="_blank" rel="noreferrer">
                {source.what}
              </a>
            ) : (
              <span>{source.what}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function ClientRow({ client, isOpen, onToggle }: { client: EmailClient; isOpen: boolean; onToggle: () => void }) {
  return (
    <Fragment>
      <Table.Tr data-open={isOpen || undefined}>
        <Table.Td>
          <UnstyledButton className={classes.name} aria-expanded={isOpen} onClick={onToggle}>
            <ChevronRightIcon className={classes.chevron} aria-hidden="true" />
            <span>{client.display_name}</span>
          </UnstyledButton>
        </Table.Td>
        <Table.Td>
          <FidelityMark fidelity={client.fidelity} />
        </Table.Td>
        <Table.Td>{client.browser || client.os || '–'}</Table.Td>
        <Table.Td className="tabular">
          {client.viewport.width} × {client.viewport.height}
        </Table.Td>
        <Table.Td>
          {client.color_scheme === 'dark' ? (
            <span className={classes.dark}>
              <DarkMark /> {DARK_MODES[client.dark_mode]}
            </span>
          ) : (
            'Light'
          )}
        </Table.Td>
        <Table.Td>{client.default ? 'yes' : ''}</Table.Td>
        <Table.Td className="tabular">{datesOf(client)}</Table.Td>
        <Table.Td>
          <span className="mono">{client.id}</span>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={8} className={classes.more}>
            <Sources client={client} />
          </Table.Td>
        </Table.Tr>
      )}
    </Fragment>
  );
}

const HEADS = ['Client', 'Method', 'System', 'Reading pane', 'Colors', 'Default', 'Data from', 'ID'];

function Catalog({ clients, search }: { clients: Record<string, EmailClient>; search: string }) {
  const [open, setOpen] = useState<string>();
  return families(clients, search).map((family) => (
    <section key={family.name} aria-label={family.name}>
      <h2 className={classes.family}>
        {family.name} <span>{family.members.length}</span>
      </h2>
      <Sideways minWidth={900} label={`Clients of ${family.name}`}>
        <Table verticalSpacing={7} layout="fixed" className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              {HEADS.map((head) => (
                <Table.Th key={head}>{head}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {family.members.map((client) => (
              <ClientRow
                key={client.id}
                client={client}
                isOpen={open === client.id}
                onToggle={() => setOpen(open === client.id ? undefined : client.id)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Sideways>
    </section>
  ));
}

/** The clients that tests can show: how each is made, and from which data. */
export function ClientsPage() {
  const clients = useQuery(clientsQuery);
  const { q: search = '', made: fidelity = '' } = useSearch({ from: '/shell/clients' });
  const navigate = useNavigate();
  const change = (changes: { q?: string; made?: string }): void => {
    const next = Object.entries({ q: search, made: fidelity, ...changes }).filter(([, value]) => value !== '');
    void navigate({ to: '/clients', search: Object.fromEntries(next), replace: true });
  };
  const box = useRef<HTMLInputElement>(null);
  useShortcuts({ search: () => box.current?.focus() });
  const all = Object.values(clients.data ?? {});
  const shown = Object.fromEntries(
    all.filter((client) => !fidelity || client.fidelity === fidelity).map((client) => [client.id, client]),
  );
  const countOf = (name: Fidelity): number => all.filter((client) => client.fidelity === name).length;
  const choices = (Object.keys(FIDELITY) as Fidelity[]).filter((name) => countOf(name) > 0);
  return (
    <>
      <PageHead title="Clients" lead={'How each client’s screenshot is made, and how current its data is.'} />
      {clients.error && (
        <Alert color="red" title="The clients could not be loaded">
          {sentenceOf(clients.error)}
        </Alert>
      )}
      {clients.isPending && <Skeleton height={240} />}
      {clients.data && (
        <>
          <div className={classes.filters} role="search" aria-label="Clients">
            <TextInput
              ref={box}
              type="search"
              aria-label="Search clients"
              placeholder="Search clients"
              leftSection={<SearchIcon />}
              value={search}
              onChange={(event) => change({ q: event.currentTarget.value })}
              w={260}
            />
            <SegmentedControl
              aria-label="Method"
              value={fidelity}
              onChange={(made) => change({ made })}
              data={[
                { value: '', label: `All ${all.length}` },
                ...choices.map((name) => ({ value: name, label: `${FIDELITY[name].name} ${countOf(name)}` })),
              ]}
            />
          </div>
          <Catalog clients={shown} search={search} />
          {families(shown, search).length === 0 && (
            <Notice
              title="No clients match"
              action={
                <Button variant="default" onClick={() => change({ q: '', made: '' })}>
                  All clients
                </Button>
              }
            />
          )}
        </>
      )}
    </>
  );
}
