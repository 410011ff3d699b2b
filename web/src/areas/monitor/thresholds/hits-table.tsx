import { Sideways } from '../../../ground/shell/sideways.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import sendClasses from '../../../shared/send/send.module.css';
import { useAccounts } from './use-accounts.ts';
import { DIMENSIONS, labelIn, percentOf, SEND_METRICS, type Hit } from './thresholds-api.ts';

/** Where rates were crossed. */
export function HitsTable({ hits }: { hits: readonly Hit[] }) {
  const { nameOf } = useAccounts();
  const valueOf = ({ dimension, dimension_value: value }: Hit): string =>
    dimension === 'subaccount' ? nameOf(value) : value || 'not known';
  return (
    <Sideways label="Hits, table" minWidth={680}>
      <table className={sendClasses.table}>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Rate</th>
            <th scope="col">Alert</th>
            <th scope="col">Since</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {hits.map((hit) => (
            <tr key={hit.id}>
              <td>
                {labelIn(DIMENSIONS, hit.dimension)} <bdi>{valueOf(hit)}</bdi>
              </td>
              <td>
                {labelIn(SEND_METRICS, hit.metric)}: {percentOf(hit.latest_value)} % (threshold: {hit.comparator}{' '}
                {percentOf(hit.limit)} %)
              </td>
              <td>
                <bdi>{hit.name}</bdi>
              </td>
              <td>
                <When at={new Date(hit.created_at)} />
              </td>
              <td>{hit.triggered ? <Chip tone="bad">crossed</Chip> : <Chip tone="good">over</Chip>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}
