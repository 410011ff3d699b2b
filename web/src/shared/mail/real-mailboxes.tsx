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
        Measure real placement
      </h2>
      <p className={classes.lead}>
        Use mailboxes that you own at the providers of your readers. Galley reads them over IMAP. Use several mailboxes
        at each provider, and open mail in them as a reader would: providers treat new, unused mailboxes differently.
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
      <Sideways minWidth={760} label="Requirements of each provider">
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
        All of them use port 993 with TLS. When you add a mailbox, Galley lists its folders and what each counts as.
        Last checked in November 2026; providers change these settings.
      </p>
    </section>
  );
}
