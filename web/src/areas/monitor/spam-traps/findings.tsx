import { useQuery } from '@tanstack/react-query';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { calendarDay, figure } from '../../../ground/words.ts';
import reportClasses from '../../../shared/report/report.module.css';
import classes from '../../../shared/send/send.module.css';
import { findingsQuery } from './traps-api.ts';

/** Misspelled providers among the recipients; nothing where there are none. */
export function Findings() {
  const { data } = useQuery(findingsQuery);
  if (!data || data.findings.length === 0) return null;
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
