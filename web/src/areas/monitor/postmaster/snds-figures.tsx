import { Alert, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { calendarDay, count } from '../../../ground/words.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import tables from '../../../shared/send/send.module.css';
import { DaysChart } from './days-chart.tsx';
import { daysUntil } from './figure-words.ts';
import { Cell, FiguresTable } from './figures-table.tsx';
import { addressesQuery, addressQuery, LISTED_MAX, ownByAddressQuery, type SndsFigures } from './postmaster-api.ts';
import classes from './postmaster.module.css';
import { RANGES } from './postmaster-search.ts';

const RESULTS = {
  GREEN: { tone: 'good', words: 'green' },
  YELLOW: { tone: 'doubt', words: 'yellow' },
  RED: { tone: 'bad', words: 'red' },
} as const;
const dayOf = ({ date }: SndsFigures): string => (date ?? '').slice(0, 10);
const number = (value: number): string => Math.round(value).toLocaleString('en');
const numberOrNull = (value: number | null): string | null => (value === null ? null : number(value));

function Result({ of: { filter_result: result } }: { of: SndsFigures }) {
  return result === null ? <Cell>{null}</Cell> : <Chip tone={RESULTS[result].tone}>{RESULTS[result].words}</Chip>;
}

function Blocked({ of: { is_blocked: isBlocked, block_text: text } }: { of: SndsFigures }) {
  if (isBlocked === null) return <Cell>{null}</Cell>;
  return isBlocked ? <Chip tone="bad">{text || 'blocked'}</Chip> : 'no';
}

function Addresses({ addresses, range }: { addresses: readonly SndsFigures[]; range: number }) {
  return (
    <Sideways label="Addresses, table" minWidth={640}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col">Last day</th>
            <th scope="col">Result</th>
            <th scope="col">Complaints</th>
            <th scope="col">Trap hits</th>
            <th scope="col">Blocked now</th>
          </tr>
        </thead>
        <tbody>
          {addresses.map((one) => (
            <tr key={one.ip_address}>
              <td>
                <Link
                  to="/postmaster"
                  search={{ provider: 'snds', of: one.ip_address, ...(range !== RANGES[0] && { days: range }) }}
                  className={classes.link}
                >
                  {one.ip_address}
                </Link>
              </td>
              <td className={tables.number}>{calendarDay(dayOf(one))}</td>
              <td>
                <Result of={one} />
              </td>
              <td className={tables.number}>
                <Cell>{one.complaint_rate}</Cell>
              </td>
              <td className={tables.number}>
                <Cell>{numberOrNull(one.trap_hits)}</Cell>
              </td>
              <td>
                <Blocked of={one} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

function Address({ ip, range }: { ip: string; range: number }) {
  const { data, error } = useQuery(addressQuery(ip));
  const { data: own } = useQuery(ownByAddressQuery(ip, range));
  if (error)
    return (
      <Alert color="red" title="The address could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (!data) return <Skeleton height={300} />;
  const days = daysUntil(new Date(), range);
  const rows = new Map(data.map((row) => [dayOf(row), row]));
  const values = (figure: (row: SndsFigures) => number | null): (number | null)[] =>
    days.map((day) => {
      const row = rows.get(day);
      return row === undefined ? null : figure(row);
    });
  return (
    <>
      <section aria-labelledby="address">
        <h2 id="address" className={tables.part}>
          <bdi>{ip}</bdi>
        </h2>
        <div className={classes.charts}>
          <DaysChart
            title="Recipients"
            about="Of messages from this address to Microsoft; beside, what Galley delivered there from it."
            days={days}
            series={[
              { label: 'Microsoft', line: 'solid', values: values((row) => row.recipients) },
              { label: 'Galley', line: 'dashed', values: days.map((day) => own?.get(day)?.delivered ?? null) },
            ]}
            format={number}
          />
          <DaysChart
            title="Trap hits"
            about="Messages to Microsoft’s spam traps."
            days={days}
            series={[{ label: 'Microsoft', line: 'solid', values: values((row) => row.trap_hits) }]}
            format={number}
          />
        </div>
      </section>
      <FiguresTable
        days={days}
        rows={rows}
        columns={[
          ['Result', (row) => <Result of={row} />],
          ['Recipients', (row) => numberOrNull(row.recipients)],
          ['Own delivered', (row) => numberOrNull(own?.get(dayOf(row))?.delivered ?? null)],
          ['Complaints', (row) => row.complaint_rate],
          ['Own complaints', (row) => numberOrNull(own?.get(dayOf(row))?.complained ?? null)],
          ['Trap hits', (row) => numberOrNull(row.trap_hits)],
          ['Trap period', (row) => row.trap_message_period],
        ]}
      />
    </>
  );
}

/** What Microsoft says of the addresses that send, and of one of them day by day. */
export function SndsFigures({
  addresses,
  ip,
  range,
}: {
  addresses: readonly SndsFigures[];
  ip: string;
  range: number;
}) {
  const { data } = useQuery(addressesQuery);
  return (
    <div className={classes.parts}>
      <Addresses addresses={addresses} range={range} />
      {data && data.total > addresses.length && (
        <p className={classes.text}>
          The first {LISTED_MAX.toLocaleString('en')} of {count(data.total, 'address', 'addresses')}.
        </p>
      )}
      <Address ip={ip} range={range} />
      <p className={classes.text}>
        SNDS knows addresses, not domains. Galley’s own figures are of the days of UTC, and of mail whose MX is one of
        Microsoft’s. Its complaint rate is a band, such as “&lt; 0.1%”, and no number.
      </p>
    </div>
  );
}
