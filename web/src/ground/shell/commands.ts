import { useNavigate } from '@tanstack/react-router';
import type { Command } from './matching.ts';
import { useScheme } from './scheme-switch.tsx';
import { newThings, type Section } from './sections.ts';
import { useSignOut } from './sign-out.ts';

/** Everything that the search over everything offers without asking the service. */
export function useCommands(
  sections: readonly Section[],
  { help, switchAccount }: { help: () => void; switchAccount: () => void },
): Command[] {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { label, change } = useScheme();
  const go = (to: string) => () => void navigate({ to });
  const pages = sections.flatMap(({ name, pages: own }) =>
    own.map(({ title, to }) => ({ group: 'Pages', name: title, about: name, run: go(to) })),
  );
  const begun = newThings(sections).map(({ to, what }) => ({
    group: 'New',
    name: `New ${what.toLowerCase()}`,
    run: go(to),
  }));
  return [
    ...begun,
    ...pages,
    { group: 'More', name: label, run: change },
    { group: 'More', name: 'Switch account', run: switchAccount },
    { group: 'More', name: 'Keyboard shortcuts', run: help },
    { group: 'More', name: 'API reference', run: () => void window.open('/docs', '_blank', 'noopener') },
    { group: 'More', name: 'Sign out', run: () => void signOut() },
  ];
}
