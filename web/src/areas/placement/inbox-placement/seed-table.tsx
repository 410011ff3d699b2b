import { Button, SegmentedControl, Table } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { SeedResult } from '../../../shared/mail/mail-api.ts';
import { methodName, severityOfResult } from '../../../shared/mail/authentication.tsx';
import { OUTCOME_NAMES, OutcomeMark, outcomeOfSeed, OUTCOMES, type Outcome } from '../../../shared/mail/outcome.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import classes from './placement.module.css';
import { laterPart } from '../../../ground/shell/later-part.tsx';
import { Sideways, SidewaysBar } from '../../../ground/shell/sideways.tsx';

const SeedDrawer = laterPart(async () => (await import('./seed-drawer.tsx')).SeedDrawer);

const SHOWN = 60;

/** `4.2 s`, `3 min`. */
export function delayInWords(seconds: number | null): string {
  if (seconds === null) return '';
  if (seconds < 90) return `${seconds.toLocaleString('en', { maximumFractionDigits: 1 })} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

function Auth({ seed }: { seed: SeedResult }) {
  if (seed.state !== 'delivered') return null;
  return (
    <span className={classes.auth}>
      {(['spf', 'dkim', 'dmarc'] as const).map((method) => {
        const result = seed[method] === 'missing/not-set' ? 'none' : seed[method];
        return (
          <span key={method}>
            <SeverityMark size={13} severity={severityOfResult(method, result)} /> {methodName(method)}
          </span>
        );
      })}
    </span>
  );
}

function Row({ seed, onOpen }: { seed: SeedResult; onOpen: () => void }) {
  const outcome = outcomeOfSeed(seed);
  return (
    <Table.Tr>
      <Table.Td>
        <button
          type="button"
          className={reportClasses.placeButton}
          onClick={onOpen}
          aria-label={`Details of ${seed.email}`}
        >
          <span className="mono">{seed.email}</span>
        </button>
        {seed.simulated && (
          <>
            {' '}
            <Chip>simulated</Chip>
          </>
        )}
      </Table.Td>
      <Table.Td>
        <OutcomeMark outcome={outcome} folder={seed.extensions?.category} />
        {seed.copies > 1 && <span className="dim"> {seed.copies} copies</span>}
      </Table.Td>
      <Table.Td className="tabular">{delayInWords(seed.delay_seconds)}</Table.Td>
      <Table.Td>
        <Auth seed={seed} />
      </Table.Td>
      <Table.Td className={classes.reason}>{seed.reason}</Table.Td>
    </Table.Tr>
  );
}

interface SeedTableProps {
  seeds: readonly SeedResult[];
  provider: string | null;
  onProvider: (provider: string | null) => void;
}

/** Every seed: where the message is, how long it took, who it proved to be from. */
export function SeedTable({ seeds, provider, onProvider }: SeedTableProps) {
  const [outcome, setOutcome] = useState('');
  const [opened, setOpened] = useState<string | null>(null);
  const [isAll, setAll] = useState(false);
  const ofProvider = seeds.filter((seed) => provider === null || seed.provider === provider);
  const counts = new Map<Outcome, number>();
  for (const seed of ofProvider) counts.set(outcomeOfSeed(seed), (counts.get(outcomeOfSeed(seed)) ?? 0) + 1);
  const present = OUTCOMES.filter((one) => counts.has(one));
  const wanted = present.includes(outcome as Outcome) ? outcome : '';
  const found = ofProvider.filter((seed) => wanted === '' || outcomeOfSeed(seed) === wanted);
  const shown = isAll ? found : found.slice(0, SHOWN);
  const seed = seeds.find(({ email }) => email === opened);
  if (seeds.length === 0) return null;
  return (
    <section aria-labelledby="seeds">
      <h2 id="seeds" className={reportClasses.sectionTitle}>
        Seeds
        {provider && (
          <span className={reportClasses.sectionNote}>
            at {provider}{' '}
            <Button size="compact-xs" variant="default" ff="var(--font-sans)" onClick={() => onProvider(null)}>
              All providers
            </Button>
          </span>
        )}
      </h2>
      <SidewaysBar className={classes.outcomes}>
        <SegmentedControl
          aria-label="Outcome"
          value={wanted}
          onChange={setOutcome}
          data={[
            { value: '', label: `All ${ofProvider.length}` },
            ...present.map((one) => ({ value: one, label: `${OUTCOME_NAMES[one]} ${counts.get(one)}` })),
          ]}
        />
      </SidewaysBar>
      <Sideways minWidth={780} label="Seeds, table">
        <Table verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Address</Table.Th>
              <Table.Th>Placement</Table.Th>
              <Table.Th>Delivery time</Table.Th>
              <Table.Th>Authentication</Table.Th>
              <Table.Th>Reason</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((one) => (
              <Row key={one.email} seed={one} onOpen={() => setOpened(one.email)} />
            ))}
          </Table.Tbody>
        </Table>
      </Sideways>
      {shown.length < found.length && (
        <Button variant="subtle" size="compact-sm" mt={8} onClick={() => setAll(true)}>
          Show {found.length - shown.length} more
        </Button>
      )}
      <Suspense>{seed && <SeedDrawer seed={seed} onClose={() => setOpened(null)} />}</Suspense>
    </section>
  );
}
