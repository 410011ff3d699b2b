// What captures bring to previews: when a client was last held against the real one.
import { LIKENESS_RULE } from '../../../engines/pictures/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { previewEvidence } from '../previews/index.ts';
import { listEvidence } from './store.ts';

export const evidenceOfCaptures = addTo(previewEvidence, async (db, accountId, clientId) => {
  const found = await listEvidence(db, accountId, clientId);
  return new Map(
    found.flatMap((capture) => {
      const { comparison, comparedAt } = capture;
      if (!comparison || !comparedAt) return [];
      const evidence = {
        capture_id: capture.id,
        test_id: capture.testId,
        captured_at: capture.capturedAt.toISOString(),
        compared_at: comparedAt.toISOString(),
        client_version: capture.clientVersion,
        how: capture.how,
        agreement: comparison.agreement,
        method: LIKENESS_RULE,
      };
      return [[capture.clientId, evidence] as const];
    }),
  );
});
