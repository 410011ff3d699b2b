import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { addressesQuery, dedicatedPoolsQuery } from './dynamic-pools-api.ts';

interface SelectProps {
  label: string;
  description: string;
  value: string | null;
  onChange: (choice: string | null) => void;
}

/** What a domain can send from that is in no dynamic pool. */
export function ReplacementSelect({ label, description, value, onChange }: SelectProps) {
  const { data: addresses } = useQuery(addressesQuery);
  const { data: pools } = useQuery(dedicatedPoolsQuery);
  const choices = [
    ...(addresses?.hasShared ? [{ value: 'shared', label: 'A shared address' }] : []),
    ...(addresses?.free ?? []).map((ip) => ({ value: `ip ${ip}`, label: ip })),
    ...(pools?.ip_pools ?? []).map(({ pool_id: id, name }) => ({ value: `pool ${id}`, label: `IP pool ${name}` })),
  ];
  const isNone = addresses !== undefined && pools !== undefined && choices.length === 0;
  return (
    <Select
      label={label}
      description={description}
      value={value}
      data={choices}
      onChange={onChange}
      error={isNone && 'There is no free address, no shared one and no IP pool. Add one first.'}
    />
  );
}
