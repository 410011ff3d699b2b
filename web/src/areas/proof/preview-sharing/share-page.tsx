import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { publicShareQuery } from '../../../ground/api.ts';
import { ProofGrid } from '../../../shared/proof/proof-grid.tsx';
import { useProof } from '../../../shared/proof/proof.ts';
import { PageHead } from '../../../ground/shell/page.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { count, nameBySubject } from '../../../ground/words.ts';

/** Every picture of a shared test. */
export function SharePage() {
  const { uuid } = useParams({ strict: false });
  const { data: share } = useQuery(publicShareQuery(uuid ?? ''));
  const { title, createdAt, clients } = useProof();
  return (
    <>
      <PageHead
        title={nameBySubject(title)}
        lead={
          <>
            <When at={createdAt} /> · {count(clients.length, 'client')}
            {share && (
              <>
                {' '}
                · available until <When at={new Date(share.expires_at)} />
              </>
            )}
          </>
        }
      />
      <ProofGrid />
    </>
  );
}
