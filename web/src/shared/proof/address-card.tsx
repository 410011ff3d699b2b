import { useQuery } from '@tanstack/react-query';
import { addressQuery } from '../../ground/api.ts';
import { CopyField } from '../../ground/shell/copy-field.tsx';
import classes from './address-card.module.css';

/** The account's own address: a mail to it becomes a test. */
export function AddressCard() {
  const { data: address } = useQuery(addressQuery);
  if (!address) return null;
  return (
    <div className={classes.address}>
      <CopyField label="Or send an email to" value={address} description="Galley tests it in all default clients." />
    </div>
  );
}
