import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { ApiKeys } from './api-keys.tsx';
import classes from './keys-page.module.css';
import { Sessions } from './sessions.tsx';

/** Who may use the service. */
export function KeysPage() {
  const { canManage } = useRole();
  if (!canManage) {
    return (
      <>
        <PageHead title="Keys" />
        <Notice title="Only an admin key can do this">You signed in with a key that cannot change keys.</Notice>
      </>
    );
  }
  return (
    <>
      <PageHead
        title="Keys"
        lead="Create one key for each program and each person, so that you can revoke one without the others."
      />
      <div className={classes.sections}>
        <ApiKeys />
        <Sessions />
      </div>
    </>
  );
}
