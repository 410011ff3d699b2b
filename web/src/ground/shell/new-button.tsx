import { Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronDownIcon, PlusIcon } from '../brand/icons.tsx';
import type { NewThing } from '../routes.ts';
import classes from './shell.module.css';

/** What is begun from this page, where there is such a thing, and beside it everything else that can be. */
export function NewButton({ newTest, things }: { newTest: NewThing | undefined; things: readonly NewThing[] }) {
  return (
    <Button.Group mr={6} className={classes.new!}>
      {newTest && (
        <Button renderRoot={(props) => <Link to={newTest.to} {...props} />} size="xs" leftSection={<PlusIcon />}>
          {newTest.label}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          {newTest ? (
            <Button size="xs" px={6} aria-label="New…" visibleFrom="md">
              <ChevronDownIcon />
            </Button>
          ) : (
            <Button size="xs" variant="default" rightSection={<ChevronDownIcon />} visibleFrom="md">
              New…
            </Button>
          )}
        </Menu.Target>
        <Menu.Dropdown>
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
