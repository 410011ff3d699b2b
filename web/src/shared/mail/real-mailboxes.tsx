import { Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import reportClasses from '../report/report.module.css';
import mailClasses from './mail.module.css';
import { Sideways } from '../../ground/shell/sideways.tsx';
import { RECIPES } from './mailbox-recipes.ts';
import classes from './real-mailboxes.module.css';

/** What a true placement needs, and how to get it at each large provider. */
export function RealMailboxes({ hasLink }: { hasLink: boolean }) {
  return (
    <section aria-labelledby="real-mailboxes" className={classes.section}>
      <h2 id="real-mailboxes" className={reportClasses.sectionTitle}>
        What a true figure needs
      </h2>
      <p className={classes.lead}>
        Mailboxes that you own at the providers your readers use, read by IMAP. Several at each provider, used like a
        reader’s: a new, unread mailbox is filed differently.
        {hasLink && (
          <>
            {' '}
            <Link to="/mailboxes" className={mailClasses.link}>
              Add them under Seed mailboxes
            </Link>
            .
          </>
        )}
      </p>
      <Sideways minWidth={760} label="What each provider asks for">
        <Table verticalSpacing={7} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Provider</Table.Th>
              <Table.Th>Log in with</Table.Th>
              <Table.Th>IMAP host</Table.Th>
              <Table.Th>Spam folder</Table.Th>
              <Table.Th>Tabs</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {RECIPES.map(({ name, login, setUp, host, spam, tabs }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td>
                  {login}
                  {setUp && ` ${setUp}`}
                </Table.Td>
                <Table.Td className="mono">{host}</Table.Td>
                <Table.Td>{spam}</Table.Td>
                <Table.Td>{tabs}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Sideways>
      <p className={classes.note}>
        Port 993 with TLS everywhere. The folders of a mailbox are listed, with what each counts as, when you add it. As
        far as known in November 2026: providers change these.
      </p>
    </section>
  );
}
