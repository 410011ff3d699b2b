import { defineComputation } from '../../../platform/compute/index.ts';

/** Which names contain what a pattern of a stranger's describes: it may take long, so it runs where it can be ended. */
export const matchNames = defineComputation(
  import.meta.url,
  'matchNames',
  ({ pattern, names }: { pattern: string; names: string[] }): string[] => {
    const expression = new RegExp(pattern, 'i');
    return names.filter((name) => expression.test(name));
  },
);
