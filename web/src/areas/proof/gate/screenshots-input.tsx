import { NativeSelect, SegmentedControl, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { EmailClient } from '../../../ground/api.ts';
import { count } from '../../../ground/words.ts';
import type { Choice } from '../../../shared/clients/client-choice.ts';
import { ClientPicker } from '../../../shared/clients/client-picker.tsx';
import { baselinesQuery } from './gate-api.ts';
import classes from './gate.module.css';

export interface ScreenshotsWanted {
  isWanted: boolean;
  /** Name of the approved pictures; without one, pictures are made to be approved. */
  baseline: string | null;
  /** Other clients than those of the baseline. */
  hasOwnClients: boolean;
}

interface ScreenshotsInputProps {
  wanted: ScreenshotsWanted;
  onChange: (wanted: ScreenshotsWanted) => void;
  clients: Record<string, EmailClient>;
  choice: Choice;
  onChoice: (choice: Choice) => void;
  error: string | undefined;
}

/** Whether pictures are taken, of which clients, and what they are held against. */
export function ScreenshotsInput({ wanted, onChange, clients, choice, onChoice, error }: ScreenshotsInputProps) {
  const { data: baselines = [] } = useQuery(baselinesQuery);
  const { isWanted, baseline, hasOwnClients } = wanted;
  const chosen = baselines.find(({ name }) => name === baseline);
  const names = [...new Set([...baselines.map(({ name }) => name), ...(baseline === null ? [] : [baseline])])];
  const isOwn = baseline === null || hasOwnClients;
  return (
    <div className={classes.part}>
      <div>
        <Switch
          label="Screenshots"
          aria-describedby="screenshots-about"
          checked={isWanted}
          onChange={(event) => onChange({ ...wanted, isWanted: event.currentTarget.checked })}
        />
        <p id="screenshots-about" className={classes.about}>
          {baselines.length
            ? 'Compared with the screenshots that you approved.'
            : 'Approve them to use as the baseline for later runs.'}
        </p>
      </div>
      {isWanted && (
        <>
          <NativeSelect
            label="Baseline"
            value={baseline ?? ''}
            error={!isOwn && error}
            onChange={(event) => onChange({ ...wanted, baseline: event.currentTarget.value || null })}
            data={[
              { value: '', label: 'None (review and approve)' },
              ...names.map((name) => ({ value: name, label: name })),
            ]}
          />
          {baseline !== null && (
            <SegmentedControl
              aria-label="Clients of the screenshots"
              value={hasOwnClients ? 'own' : 'approved'}
              onChange={(value) => onChange({ ...wanted, hasOwnClients: value === 'own' })}
              data={[
                {
                  value: 'approved',
                  label: chosen
                    ? `${count(chosen.clients.length, 'client')} of the baseline`
                    : 'Clients of the baseline',
                },
                { value: 'own', label: 'Choose clients' },
              ]}
            />
          )}
          {isOwn && <ClientPicker clients={clients} choice={choice} onChange={onChoice} error={error} />}
        </>
      )}
    </div>
  );
}
