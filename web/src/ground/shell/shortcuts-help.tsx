import { Group, Kbd, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { Dialog } from './dialog.tsx';
import { namesOfKey } from './key-names.ts';
import { areShortcutsOff, switchShortcuts, useShortcutGroups } from './shortcuts.ts';

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
                        {keys.flatMap((key) => namesOfKey(key).map((name) => <Kbd key={`${key} ${name}`}>{name}</Kbd>))}
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
          Turn them off if you use speech input. <Kbd size="xs">?</Kbd> always opens this list, and shortcuts with{' '}
          {namesOfKey('Mod+k')[0]} always work.
        </Text>
      </Stack>
    </Dialog>
  );
}
