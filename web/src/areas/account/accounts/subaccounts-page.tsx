import { actingFor } from '../../../ground/api.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import classes from './accounts.module.css';
import { Subaccounts } from './subaccounts.tsx';

/** The accounts below this one. */
export function SubaccountsPage() {
  return (
    <>
      <PageHead
        title="Subaccounts"
        lead="Each subaccount has its own keys, domains, messages and tests. Your keys can act on its behalf."
      />
      {actingFor() ? (
        <Notice title="A subaccount has no subaccounts">
          You are acting for a subaccount. Go back to your own account to manage subaccounts.
        </Notice>
      ) : (
        <div className={classes.sections}>
          <Subaccounts />
        </div>
      )}
    </>
  );
}
