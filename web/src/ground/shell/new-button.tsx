import { Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronDownIcon, PlusIcon } from '../brand/icons.tsx';
import type { NewThing } from '../routes.ts';
import classes from './shell.module.css';

/** What is begun from this page, and beside it everything else that can be. */
export function NewButton({ newTest, things }: { newTest: NewThing; things: readonly NewThing[] }) {
  return (
    <Button.Group mr={6}>
      <Button renderRoot={(props) => <Link to={newTest.to} {...props} />} size="xs" leftSection={<PlusIcon />}>
        {newTest.label}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" px={6} aria-label="New…" visibleFrom="md" className={classes.more!}>
            <ChevronDownIcon />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>New</Menu.Label>
          {things.map(({ to, what }) => (
            <Menu.Item key={to} renderRoot={(props) => <Link to={to} {...props} />}>
              {what}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}
