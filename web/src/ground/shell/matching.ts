// Commands of the search over everything, and which of them hold what was typed.

/** Something to do, or a page to go to. */
export interface Command {
  /** The heading it stands under. */
  group: string;
  name: string;
  about?: string | undefined;
  run: () => void;
}

/** Those that hold every word, those whose name begins with what was typed first. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const typed = text.trim().toLowerCase();
  const words = typed.split(/\s+/);
  const isFirst = ({ name }: Command): boolean => name.toLowerCase().startsWith(typed);
  const found = commands.filter(({ name, about = '' }) => {
    const all = `${name} ${about}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  return typed === '' ? found : found.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)));
}
