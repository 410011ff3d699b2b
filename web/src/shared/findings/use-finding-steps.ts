import type { Chooser } from '../report/split.tsx';
import { useShortcuts } from '../../ground/shell/shortcuts.ts';
import type { FindingGroup } from './finding-groups.ts';

/** Choosing among the findings that are listed, in their order: by their places, from the message, and by keys. */
export function useFindingSteps(groups: readonly FindingGroup[], chooser: Chooser) {
  const { selected, view } = chooser.choice;
  const listed = groups.flatMap(({ items }) => items);
  const show = (number: number | undefined): void => {
    if (number === undefined) return;
    chooser.choose(number);
    requestAnimationFrame(() => document.getElementById(`finding-${number}`)?.scrollIntoView({ block: 'center' }));
  };
  const step = (by: 1 | -1): void => {
    const order = listed.filter(({ finding }) => finding.where);
    show(
      order[Math.min(order.length - 1, Math.max(0, order.findIndex(({ number }) => number === selected) + by))]?.number,
    );
  };
  useShortcuts({
    nextPlace: () => step(1),
    placeBefore: () => step(-1),
    messageOrSource: () => chooser.set({ view: view === 'message' ? 'source' : 'message' }),
  });
  return {
    choose: (number: number): void => chooser.choose(selected === number ? undefined : number),
    /** A place in the message was clicked: the first of what was found there, then the next. */
    pick: (numbers: number[]): void => {
      const visible = listed.filter(({ number }) => numbers.includes(number));
      show(visible[(visible.findIndex(({ number }) => number === selected) + 1) % visible.length]?.number);
    },
  };
}
