import { Group, Kbd, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { Dialog } from './dialog.tsx';
import { areShortcutsOff, switchShortcuts, useShortcutGroups } from './shortcuts.ts';

const NAMES: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc', ' ': 'Space' };

export function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  const groups = useShortcutGroups();
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      <Stack gap="lg">
        {[...groups].map(([title, shortcuts]) => (
          <section key={title}>
            <Title order={3} mb={6} fz={15}>
              {title}
            </Title>
            <Table verticalSpacing={5} withRowBorders={false}>
              <Table.Tbody>
                {shortcuts.map(({ does, keys }) => (
                  <Table.Tr key={does}>
                    <Table.Td pl={0}>{does}</Table.Td>
                    <Table.Td pr={0} ta="right">
                      <Group gap={4} justify="flex-end">
                        {keys.map((key) => (
                          <Kbd key={key}>{NAMES[key] ?? key}</Kbd>
                        ))}
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </section>
        ))}
        <Switch
          label="Single-key shortcuts"
          defaultChecked={!areShortcutsOff()}
          onChange={(event) => switchShortcuts(event.currentTarget.checked)}
        />
        <Text size="xs" c="dimmed">
          Turn them off if you use speech input. <Kbd size="xs">?</Kbd> always opens this list.
        </Text>
      </Stack>
    </Dialog>
  );
}
