import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { calendarDay, count, figure } from '../../../ground/words.ts';
import { ShowMore, useGrowing } from '../../../shared/report/growing.tsx';
import tables from '../../../shared/send/send.module.css';
import { addressQuery, hostQuery, type AddressReply, type HostReply, type SourceReply } from './dmarc-api.ts';
import classes from './dmarc.module.css';

const UNKNOWN = 'unknown';
const ROWS = 50;

interface FoldProps {
  name: string;
  counts: { messages: number; pass: number; fail: number };
  isOpenAtFirst: boolean;
  children: () => ReactNode;
}

/** A line with its figures, and what lies below once it is opened. */
function Fold({ name, counts, isOpenAtFirst, children }: FoldProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <bdi>{name}</bdi>
          <span className={classes.evidence}>
            {count(counts.messages, 'message')}: {figure(counts.pass)} aligned, {figure(counts.fail)} not
          </span>
        </summary>
        {isOpen && children()}
      </details>
    </li>
  );
}

function resultsOf(results: AddressReply['rows'][number]['dkim']): string {
  if (results.length === 0) return 'not said';
  return results
    .map(({ result, domain, selector }) => `${result} ${domain}${selector ? ` (${selector})` : ''}`)
    .join(', ');
}

function ResultRow({ row }: { row: AddressReply['rows'][number] }) {
  return (
    <tr>
      <td>
        {calendarDay(row.date)}
        <span className={classes.evidence}>
          <bdi>{row.organization}</bdi>
        </span>
      </td>
      <td className={tables.number}>{figure(row.messages)}</td>
      <td>
        {row.dkim_aligned ? 'Aligned' : 'Not aligned'}
        <bdi className={classes.evidence}>{resultsOf(row.dkim)}</bdi>
      </td>
      <td>
        {row.spf_aligned ? 'Aligned' : 'Not aligned'}
        <bdi className={classes.evidence}>{resultsOf(row.spf)}</bdi>
      </td>
      <td>
        {row.disposition}
        {row.reasons.map(({ type, comment }, place) => (
          <bdi key={place} className={classes.evidence}>
            {[type, comment].filter(Boolean).join(': ')}
          </bdi>
        ))}
      </td>
    </tr>
  );
}

function Results({ ip, rows }: { ip: string; rows: AddressReply['rows'] }) {
  const page = useGrowing(rows, { first: ROWS, step: ROWS });
  return (
    <>
      <Sideways label={`What was reported of ${ip}`} minWidth={640}>
        <table className={tables.table}>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              <th scope="col">Messages</th>
              <th scope="col">DKIM</th>
              <th scope="col">SPF</th>
              <th scope="col">Done with it</th>
            </tr>
          </thead>
          <tbody>
            {page.shown.map((row, place) => (
              <ResultRow key={place} row={row} />
            ))}
          </tbody>
        </table>
      </Sideways>
      <ShowMore page={page} noun="row" />
    </>
  );
}

interface Names {
  domain: string;
  source: string;
}

function Address({ host, ip, ...names }: Names & { host: string; ip: string }) {
  const { data, error } = useQuery(addressQuery({ ...names, host, ip }));
  if (error) return <p className={classes.text}>{sentenceOf(error)}</p>;
  return data ? <Results ip={ip} rows={data.rows} /> : <Skeleton height={120} />;
}

function Addresses({ ips, host, ...names }: Names & { host: string; ips: HostReply['ips'] }) {
  const page = useGrowing(ips, { first: ROWS, step: ROWS });
  return (
    <>
      <ul className={classes.folds}>
        {page.shown.map(({ ip, ...counts }) => (
          <Fold key={ip} name={ip} counts={counts} isOpenAtFirst={ips.length === 1}>
            {() => <Address {...names} host={host} ip={ip} />}
          </Fold>
        ))}
      </ul>
      <ShowMore page={page} noun="IP" />
    </>
  );
}

function Host({ host, ...names }: Names & { host: string }) {
  const { data, error } = useQuery(hostQuery({ ...names, host }));
  if (error) return <p className={classes.text}>{sentenceOf(error)}</p>;
  return data ? <Addresses {...names} host={host} ips={data.ips} /> : <Skeleton height={60} />;
}

/** The hosts of a source, the addresses of each, and what was reported of each address. */
export function Hosts({ hosts, ...names }: Names & { hosts: SourceReply['hosts'] }) {
  const page = useGrowing(hosts, { first: ROWS, step: ROWS });
  return (
    <>
      <ul className={classes.folds}>
        {page.shown.map(({ host, ...counts }, place) => (
          <Fold
            key={host}
            name={host === UNKNOWN ? 'Addresses without a name that leads back' : host}
            counts={counts}
            isOpenAtFirst={place === 0}
          >
            {() => <Host {...names} host={host} />}
          </Fold>
        ))}
      </ul>
      <ShowMore page={page} noun="host" />
    </>
  );
}
