import { ActionIcon, Burger, Button, Group, Menu, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { ExitIcon, KeyboardIcon, PersonIcon, ReaderIcon, SearchIcon, SidebarIcon, SwapIcon } from '../brand/icons.tsx';
import { actFor, actingFor, sessionQuery } from '../api.ts';
import { Logo } from '../brand/logo.tsx';
import { useCommands } from './commands.ts';
import { Crumbs } from './crumbs.tsx';
import { namesOfKey } from './key-names.ts';
import { laterPart } from './later-part.tsx';
import { changeNavigation, useNavigation } from './navigation-state.ts';
import { NewButton } from './new-button.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';
import { newTestAt, newThings, sectionAt, useFindables, useSections } from './sections.ts';
import { usePageKeys, useShortcuts } from './shortcuts.ts';
import { Groups, Sidebar } from './sidebar.tsx';
import { useSignOut } from './sign-out.ts';
import { TroubleBanner } from './trouble.tsx';
import classes from './shell.module.css';
import { useFirstTitle } from './use-first-title.ts';
import { usePageFocus } from './use-page-focus.ts';

const AccountSwitch = laterPart(async () => (await import('./account-switch.tsx')).AccountSwitch);
const Palette = laterPart(async () => (await import('./palette.tsx')).Palette);
const ShortcutsHelp = laterPart(async () => (await import('./shortcuts-help.tsx')).ShortcutsHelp);
const SmallMenu = laterPart(async () => (await import('./small-menu.tsx')).SmallMenu);

function AccountMenu({ onSwitch }: { onSwitch: () => void }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const signOut = useSignOut();
  const navigate = useNavigate();
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={`Account ${session.account.name}`}>
          <PersonIcon width={18} height={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.account}>
          <Text fw={600} size="sm">
            {session.account.name}
          </Text>
          {session.user && <Text size="xs">{session.user.name || session.user.email}</Text>}
          <Text size="xs" c="dimmed">
            {session.user ? 'Role' : 'Key role'}: {session.role} · region {session.account.region}
          </Text>
        </div>
        <Menu.Divider />
        {session.user && (
          <Menu.Item leftSection={<PersonIcon />} onClick={() => void navigate({ to: '/your-account' })}>
            Your account
          </Menu.Item>
        )}
        <Menu.Item leftSection={<SwapIcon />} onClick={onSwitch}>
          Switch account
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<ReaderIcon />}>
          API reference
        </Menu.Item>
        <Menu.Item leftSection={<ExitIcon />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ActingBanner() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queries = useQueryClient();
  if (!actingFor()) return null;
  return (
    <div className={classes.acting} role="status">
      <span>
        You are acting on behalf of the subaccount <strong>{session.account.name}</strong>.
      </span>
      <Button size="compact-xs" variant="default" onClick={() => (actFor(null), void queries.resetQueries())}>
        Back to the main account
      </Button>
    </div>
  );
}

/** Whether there is room for the navigation beside the page, as in sidebar.module.css. */
const isBesideThePage = (): boolean => matchMedia('(min-width: 78em)').matches;

/** Shows and hides the pages beside the page, where there is room for them. */
function NavigationSwitch() {
  const { isHidden } = useNavigation();
  const label = isHidden ? 'Show the navigation' : 'Hide the navigation';
  return (
    <Tooltip label={`${label} (b)`}>
      <ActionIcon
        className={classes.wide!}
        ml={-8}
        mr={6}
        aria-label={label}
        aria-expanded={!isHidden}
        aria-controls={isHidden ? undefined : 'navigation'}
        onClick={() => changeNavigation({ isHidden: !isHidden })}
      >
        <SidebarIcon width={18} height={18} />
      </ActionIcon>
    </Tooltip>
  );
}

/** The frame of every page of someone who signed in. */
export function Shell() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const sections = useSections();
  const section = sectionAt(sections, pathname);
  const newTest = newTestAt(sections, pathname);
  useFirstTitle();
  usePageFocus();
  const [isHelpOpen, help] = useDisclosure();
  const [isMenuOpen, menu] = useDisclosure();
  const { isHidden } = useNavigation();
  const [isPaletteOpen, palette] = useDisclosure();
  const [isSwitchOpen, accounts] = useDisclosure();
  const commands = useCommands(sections, { help: help.open, switchAccount: accounts.open });
  const findables = useFindables();
  useShortcuts({
    ...(newTest && { newTest: () => void navigate({ to: newTest.to }) }),
    help: help.open,
    find: palette.open,
    navigation: () => (isBesideThePage() ? changeNavigation({ isHidden: !isHidden }) : menu.toggle()),
  });
  const pageKeys = useMemo(
    () =>
      sections
        .flatMap(({ pages }) => pages)
        .flatMap(({ key, title, to }) =>
          key === undefined ? [] : [{ key, does: title, open: () => void navigate({ to }) }],
        ),
    [sections, navigate],
  );
  usePageKeys(pageKeys);
  return (
    <>
      <a href="#content" className={classes.skip}>
        Skip to the content
      </a>
      <header className={classes.header}>
        <div className={classes.top}>
          <NavigationSwitch />
          <Link to="/" className={classes.home} aria-label="Galley, home">
            <Logo />
          </Link>
          <Group gap={4} ml="auto" wrap="nowrap">
            <NewButton newTest={newTest} things={newThings(sections)} />
            <Tooltip label={`Search everything (${namesOfKey('Mod+k').join(' ')})`}>
              <ActionIcon aria-label="Search everything" onClick={palette.open} visibleFrom="md">
                <SearchIcon width={18} height={18} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Keyboard shortcuts (?)">
              <ActionIcon aria-label="Keyboard shortcuts" onClick={help.open} visibleFrom="md">
                <KeyboardIcon width={18} height={18} />
              </ActionIcon>
            </Tooltip>
            <SchemeSwitch />
            <AccountMenu onSwitch={accounts.open} />
            <Burger opened={isMenuOpen} onClick={menu.toggle} className={classes.narrow!} size={18} aria-label="Menu" />
          </Group>
        </div>
      </header>
      <div className={classes.frame} data-beside={!isHidden || undefined}>
        {!isHidden && <Sidebar sections={sections} current={section} />}
        <div className={classes.column}>
          <TroubleBanner />
          <ActingBanner />
          <main id="content" tabIndex={-1} className={classes.main}>
            <Crumbs sections={sections} pathname={pathname} />
            <Outlet />
          </main>
        </div>
      </div>
      <Suspense>
        {isPaletteOpen && <Palette commands={commands} findables={findables} onClose={palette.close} />}
        {isSwitchOpen && <AccountSwitch onClose={accounts.close} />}
        {isHelpOpen && <ShortcutsHelp onClose={help.close} />}
        {isMenuOpen && (
          <SmallMenu onClose={menu.close}>
            <button type="button" className={classes.find} onClick={() => (menu.close(), palette.open())}>
              <SearchIcon /> Search everything
            </button>
            <Groups sections={sections} current={section} onLeave={menu.close} />
          </SmallMenu>
        )}
      </Suspense>
      <VisuallyHidden id="announcements" role="status" aria-live="polite" />
    </>
  );
}
