import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';

interface DraftUse<Draft> {
  first: () => Draft;
  save: (draft: Draft) => Promise<unknown>;
  /** What shows it: read again when it is saved. */
  queryKey: readonly string[];
  onClose: () => void;
}

/** What a dialog edits. It closes when that is saved; a change forgets why it was not. */
export function useDraft<Draft extends object>({ first, save, queryKey, onClose }: DraftUse<Draft>) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>(first);
  const saving = useMutation({
    mutationFn: () => save(draft),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey });
      onClose();
    },
  });
  return {
    draft,
    saving,
    change(part: Partial<Draft>): void {
      setDraft({ ...draft, ...part });
      saving.reset();
    },
    submit(event: FormEvent): void {
      event.preventDefault();
      saving.mutate();
    },
  };
}
