import type { Reply } from '@galley/sdk';
import { useQuery } from '@tanstack/react-query';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { calendarDay, count, figure } from '../../../ground/words.ts';
import reportClasses from '../../../shared/report/report.module.css';
import classes from '../../../shared/send/send.module.css';
import { findingsQuery } from './traps-api.ts';

type Found = Reply<'GET /v1/spamtraps/findings'>;
type Watched = NonNullable<Found['watched']>;

/** What own sending shows: misspelled providers, and recipients that refused and accept again. */
export function Findings() {
  const { data } = useQuery(findingsQuery);
  if (!data) return null;
  return (
    <>
      <Misspelled data={data} />
      <Recycled data={data} />
    </>
  );
}

/** Since when it is measured, on what, and from when on anything can be found. */
function watchedWords(watched: Watched | null): string {
  if (!watched) return 'Your sending was not read yet; it is read every ten minutes.';
  const { since, addresses, domains, is_full: isFull } = watched;
  const words = [
    `Galley has watched refusals since ${calendarDay(since.slice(0, 10))}: ${count(addresses, 'address', 'addresses')} and ` +
      `${count(domains, 'domain')} refuse at present.`,
    `Domains can be found from ${calendarDay(watched.domains_from.slice(0, 10))}, addresses from ` +
      `${calendarDay(watched.addresses_from.slice(0, 10))}.`,
    ...(isFull ? ['There were more than Galley keeps: some are missing.'] : []),
  ];
  return words.join(' ');
}

function Recycled({ data: { recycled, watched } }: { data: Found }) {
  return (
    <section aria-labelledby="trap-recycled">
      <h2 id="trap-recycled" className={reportClasses.sectionTitle}>
        Recycled recipients
        <span className={reportClasses.sectionNote}>
          addresses that accepted mail 12 months or more after their first hard refusal, domains 30 days after their
          name was gone
        </span>
      </h2>
      <p className={classes.counted}>{watchedWords(watched)}</p>
      {recycled.length > 0 && (
        <>
          <p className={classes.counted}>
            Findings, not hits: whether a trap is there, nobody has told. Take these off your list unless their owners
            signed up again.
          </p>
          <Sideways label="Recycled recipients, table" minWidth={640}>
            <table className={classes.table}>
              <thead>
                <tr>
                  {['Recipient', 'First refused', 'Last refused', 'Refusals', 'Accepted'].map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {recycled.map((one) => (
                  <tr key={`${one.kind} ${one.value}`}>
                    <td>
                      <bdi>{one.value}</bdi>
                    </td>
                    <td className={classes.number}>{calendarDay(one.first_refused_at.slice(0, 10))}</td>
                    <td className={classes.number}>{calendarDay(one.last_refused_at.slice(0, 10))}</td>
                    <td className={classes.number}>{figure(one.refusals)}</td>
                    <td className={classes.number}>
                      <When at={new Date(one.accepted_at)} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Sideways>
        </>
      )}
    </section>
  );
}

/** Nothing where there are none. */
function Misspelled({ data }: { data: Found }) {
  if (data.findings.length === 0) return null;
  return (
    <section aria-labelledby="trap-findings">
      <h2 id="trap-findings" className={reportClasses.sectionTitle}>
        Misspelled addresses
        <span className={reportClasses.sectionNote}>
          in your own sending of the last 30 days, by a list of {calendarDay(data.list_date)}
        </span>
      </h2>
      <p className={classes.counted}>
        Findings, not hits: whether a trap is there, nobody has told. Where mail was delivered, somebody takes it.
      </p>
      <Sideways label="Misspelled addresses, table" minWidth={600}>
        <table className={classes.table}>
          <thead>
            <tr>
              {['Domain', 'Probably meant', 'Delivered', 'Refused', 'Addresses', 'Last'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.findings.map(({ domain, meant, delivered, failed, addresses, last_at: lastAt }) => (
              <tr key={domain}>
                <td>
                  <bdi>{domain}</bdi>
                </td>
                <td>{meant}</td>
                <td className={classes.number}>{figure(delivered)}</td>
                <td className={classes.number}>{figure(failed)}</td>
                <td className={classes.number}>{figure(addresses)}</td>
                <td className={classes.number}>
                  <When at={new Date(lastAt)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Sideways>
      {data.is_bound && <p className={classes.counted}>There was more than was read: these are lower bounds.</p>}
    </section>
  );
}
