import { ActionIcon, Tooltip, useMantineColorScheme } from '@mantine/core';
import { MoonIcon, SunIcon } from '../brand/icons.tsx';

/** Which theme is shown, and what changes it. */
export function useScheme(): { isDark: boolean; label: string; change: () => void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isDark =
    colorScheme === 'dark' || (colorScheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  return {
    isDark,
    label: isDark ? 'Use the light theme' : 'Use the dark theme',
    change: () => setColorScheme(isDark ? 'light' : 'dark'),
  };
}

export function SchemeSwitch() {
  const { isDark, label, change } = useScheme();
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={change}>
        {isDark ? <SunIcon width={17} height={17} /> : <MoonIcon width={17} height={17} />}
      </ActionIcon>
    </Tooltip>
  );
}
