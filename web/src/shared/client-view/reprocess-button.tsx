import { Button } from '@mantine/core';
import { useState } from 'react';
import { ReloadIcon } from '../../ground/brand/icons.tsx';
import { useRole } from '../../ground/shell/role.ts';
import { useReprocess } from './reprocess.ts';

/** Fetches the images anew and makes this client's pictures again. */
export function Reprocess({ testId, clientId }: { testId: string; clientId: string }) {
  const { canWrite } = useRole();
  const reprocess = useReprocess(testId);
  const [isBusy, setBusy] = useState(false);
  if (!canWrite) return null;
  const run = async (): Promise<void> => {
    setBusy(true);
    await reprocess([clientId]);
    setBusy(false);
  };
  return (
    <Button
      variant="default"
      size="xs"
      fullWidth
      mt="md"
      leftSection={<ReloadIcon />}
      loading={isBusy}
      onClick={() => void run()}
    >
      Retake
    </Button>
  );
}
