import { Button, CloseButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { Notice } from '../../ground/shell/page.tsx';
import { FilterBar, type Density } from './filter-bar.tsx';
import { byReadersLost, filterClients, groupByPicture, NO_FILTERS } from './filter.ts';
import { focusLastOpened } from './last-opened.ts';
import { ProofCard } from './proof-card.tsx';
import classes from './proof-grid.module.css';
import { useProof } from './proof.ts';
import { useProofSearch } from './use-proof-search.ts';

interface CompareBarProps {
  chosen: string[];
  onClear: () => void;
}

function CompareBar({ chosen, onClear }: CompareBarProps) {
  const { base, clients } = useProof();
  const navigate = useNavigate();
  const names = chosen.map((id) => clients.find((client) => client.id === id)?.name ?? id);
  const open = (): void =>
    void navigate({ to: `${base}/compare` as '/', search: { a: chosen[0], b: chosen[1] } as never });
  return (
    <div className={classes.compare} role="region" aria-label="Comparison">
      <span className={classes.names}>
        <strong>{names[0]}</strong>{' '}
        {names[1] ? (
          <>
            and <strong>{names[1]}</strong>
          </>
        ) : (
          'Select another client'
        )}
      </span>
      <Button size="xs" disabled={chosen.length < 2} onClick={open}>
        Compare
      </Button>
      <CloseButton size="sm" aria-label="Clear selection" onClick={onClear} />
    </div>
  );
}

/** The pictures of a test with their filters. */
export function ProofGrid() {
  const { clients } = useProof();
  const [search, change] = useProofSearch();
  const [density, setDensity] = useLocalStorage<Density>({
    key: 'galley.density',
    defaultValue: 'usual',
    getInitialValueInEffect: false,
  });
  const [chosen, setChosen] = useState<string[]>([]);
  useEffect(focusLastOpened, []);
  const filtered = filterClients(clients, search);
  const shown = search.sort === 'lost' ? byReadersLost(filtered) : filtered;
  const groups = groupByPicture(shown);
  const knowsEqual = clients.some((client) => client.pictureId !== undefined);
  const cards = search.distinct && knowsEqual ? groups : shown.map((first) => ({ first, others: [] }));
  return (
    <>
      <h2 className={classes.hidden}>Screenshots</h2>
      <FilterBar
        shown={shown.length}
        distinct={knowsEqual ? groups.length : undefined}
        density={density}
        onDensity={setDensity}
      />
      {shown.length === 0 && (
        <Notice
          title="No clients match"
          action={
            <Button variant="default" onClick={() => change(NO_FILTERS)}>
              Clear filters
            </Button>
          }
        >
          None of the {clients.length} clients of this test match the filters.
        </Notice>
      )}
      <div className={classes.grid} data-density={density}>
        {cards.map(({ first, others }) => (
          <ProofCard
            key={first.id}
            client={first}
            same={others}
            compare={{
              isChosen: chosen.includes(first.id),
              isFull: chosen.length >= 2,
              onChange: (isChosen) =>
                setChosen((before) => (isChosen ? [...before, first.id] : before.filter((id) => id !== first.id))),
            }}
          />
        ))}
      </div>
      {chosen.length > 0 && <CompareBar chosen={chosen} onClear={() => setChosen([])} />}
    </>
  );
}
