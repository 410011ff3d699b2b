@rem In package.json, "exec" makes a script the child of npm, so that signals reach it. Windows has no such command.
@%*
