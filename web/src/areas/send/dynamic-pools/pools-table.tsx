import { Sideways } from '../../../ground/shell/sideways.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import { BANDS, type PooledDomain, type Pools } from './dynamic-pools-api.ts';

interface PoolsProps {
  pools: Pools;
  domains: readonly PooledDomain[] | undefined;
}

const RULES: Readonly<Record<string, string>> = {
  Good: 'Complaints below 0.1 % and hard bounces below 2 %, with mail on 3 days or more',
  New: 'Too little is known yet',
  Poor: 'Complaints of 0.3 % or more (limit of Google and Yahoo), or hard bounces of 5 % or more (limit of Amazon SES)',
};

/** The three pools, whom they are for, and what they send from. */
export function PoolsTable({ pools, domains }: PoolsProps) {
  return (
    <Sideways label="Pools, table" minWidth={620}>
      <table className={sendClasses.table}>
        <thead>
          <tr>
            <th scope="col">Pool</th>
            <th scope="col">Domains get here by</th>
            <th scope="col">Domains</th>
            <th scope="col">Addresses</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {BANDS.map(({ pool, label, tone }) => {
            const found = pools.pools.find(({ name }) => name === pool);
            return (
              <tr key={pool}>
                <td>
                  <Chip tone={tone}>{label}</Chip>
                </td>
                <td>{RULES[label]}</td>
                <td>{domains?.filter((domain) => domain.pool === pool).length ?? '–'}</td>
                <td>{found?.ips.join(', ') ?? '–'}</td>
                <td>{found?.enabled ? <Chip tone="good">ready</Chip> : <Chip tone="doubt">not running</Chip>}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Sideways>
  );
}
