import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { ApiKeys } from './api-keys.tsx';
import classes from './keys-page.module.css';
import { Sessions } from './sessions.tsx';
import { Subaccounts } from './subaccounts.tsx';

/** Who may use the service: keys, and accounts below this one. */
export function KeysPage() {
  const { canManage } = useRole();
  if (!canManage) {
    return (
      <>
        <PageHead title="Keys" />
        <Notice title="This takes an admin key">
          You signed in with a key that may not see or change keys and subaccounts.
        </Notice>
      </>
    );
  }
  return (
    <>
      <PageHead
        title="Keys"
        lead="Each program and each person gets a key of their own, so that one can be revoked without the others."
      />
      <div className={classes.sections}>
        <ApiKeys />
        <Sessions />
        <Subaccounts />
      </div>
    </>
  );
}
