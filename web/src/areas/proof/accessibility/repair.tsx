import { Alert, Button, Switch } from '@mantine/core';
import type { Reply } from '@galley/sdk';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { laterPart } from '../../../ground/shell/later-part.tsx';
import { count } from '../../../ground/words.ts';
import classes from './accessibility-page.module.css';

const RepairedDrawer = laterPart(async () => (await import('./repaired-drawer.tsx')).RepairedDrawer);

export type Repaired = Reply<'POST /v1/inspect/accessibility/{id}/fix'>;

/** Repairs what can be repaired without a person, and shows what that changes. */
export function Repair({ id, subject, fixable }: { id: string; subject: string; fixable: number }) {
  const [isOpen, setOpen] = useState(false);
  const [isAdjusting, setAdjusting] = useState(false);
  const looks = isAdjusting ? 'adjust' : 'keep';
  const fix = useMutation({
    mutationFn: (asked: 'keep' | 'adjust') =>
      api.call('POST /v1/inspect/accessibility/{id}/fix', {
        path: { id },
        body: { looks: asked, ...(subject && { subject }) },
      }),
    onSuccess: () => setOpen(true),
  });
  const isDone = fix.data !== undefined && fix.variables === looks;
  return (
    <section className={classes.repair} aria-label="Repair">
      <p>
        <strong>
          {fixable > 0 ? `${count(fixable, 'place')} can be repaired automatically.` : 'Automatic repairs'}
        </strong>
        <span>
          {isAdjusting
            ? 'Galley also repairs contrast, text size, line height and links with the smallest change, and ' +
              'marks each visible change.'
            : 'Galley edits the source without changing how the message looks. You review every change first.'}
        </span>
      </p>
      <Switch
        label="Allow visible changes"
        disabled={fix.isPending}
        checked={isAdjusting}
        onChange={(event) => setAdjusting(event.currentTarget.checked)}
      />
      <Button loading={fix.isPending} onClick={() => (isDone ? setOpen(true) : fix.mutate(looks))}>
        Repair
      </Button>
      {fix.error && (
        <Alert color="red" title="The message was not repaired">
          {sentenceOf(fix.error)}
        </Alert>
      )}
      <Suspense>{fix.data && isOpen && <RepairedDrawer repaired={fix.data} onClose={() => setOpen(false)} />}</Suspense>
    </section>
  );
}
