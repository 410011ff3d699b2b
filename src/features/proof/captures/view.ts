import { LIKENESS_RULE } from '../../../engines/pictures/index.ts';
import { PATH, type CaptureView, type PictureName } from './contract.ts';
import type { Capture } from './store.ts';

type Named = CaptureView['comparison'] & {};

const withoutRgb = ({ color, share }: { color: string; share: number }) => ({ color, share });

function comparisonView({ comparedAt, comparison }: Capture): Named | null {
  if (!comparedAt || !comparison) return null;
  const { previewFidelity, previewEngine, agreement, colors, ...traits } = comparison;
  return {
    compared_at: comparedAt.toISOString(),
    preview_fidelity: previewFidelity,
    preview_engine: previewEngine,
    agreement,
    method: LIKENESS_RULE,
    ...traits,
    colors: {
      agreement: colors.agreement,
      only_captured: colors.only_captured.map(withoutRgb),
      only_preview: colors.only_preview.map(withoutRgb),
    },
  };
}

export function captureView(capture: Capture, baseUrl: string): CaptureView {
  const url = (picture: PictureName): string => `${baseUrl}${PATH}/${capture.id}/${picture}`;
  const isCompared = capture.comparison !== null;
  return {
    id: capture.id,
    account_id: capture.accountId,
    test_id: capture.testId,
    html_digest: capture.sourceDigest,
    client: capture.clientId,
    client_version: capture.clientVersion,
    os: capture.os,
    captured_by: capture.capturedBy,
    captured_at: capture.capturedAt.toISOString(),
    fidelity: capture.how === 'agent' ? 'real' : 'captured',
    how: capture.how,
    agent: capture.agentName,
    state: capture.state,
    decision: capture.decision,
    is_evidence: isCompared && capture.state === 'accepted',
    width: capture.width,
    height: capture.height,
    scale: capture.scale,
    bytes: capture.bytes,
    pictures: {
      captured: url('captured'),
      preview: isCompared ? url('preview') : null,
      difference: isCompared ? url('difference') : null,
    },
    comparison: comparisonView(capture),
    comparison_problem: capture.comparisonProblem,
    created_at: capture.createdAt.toISOString(),
  };
}
