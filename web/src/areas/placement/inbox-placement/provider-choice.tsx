import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { providersQuery } from '../../../shared/mail/mail-api.ts';
import classes from './placement.module.css';

interface ProviderChoiceProps {
  /** Domains of providers; null means all, including providers that are added later. */
  chosen: string[] | null;
  onChange: (chosen: string[] | null) => void;
}

/** Which providers take part. */
export function ProviderChoice({ chosen, onChange }: ProviderChoiceProps) {
  const { data: providers = [] } = useQuery(providersQuery);
  const toggle = (domain: string, isOn: boolean): void => {
    const before = chosen ?? providers.map((provider) => provider.domain);
    const next = isOn ? [...before, domain] : before.filter((one) => one !== domain);
    onChange(next.length === providers.length ? null : next);
  };
  return (
    <fieldset className={classes.choices}>
      <legend>Providers</legend>
      {providers.map(({ domain, display_name: name }) => (
        <Checkbox
          key={domain}
          size="sm"
          label={name}
          checked={chosen === null || chosen.includes(domain)}
          onChange={(event) => toggle(domain, event.currentTarget.checked)}
        />
      ))}
    </fieldset>
  );
}
