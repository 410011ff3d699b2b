// `galley completion bash`: completions for a shell, made of the commands' own table and of what their help names.
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley completion bash | zsh | fish

Prints a script that completes commands, their subcommands and options:

  bash   source <(galley completion bash)            in ~/.bashrc
  zsh    source <(galley completion zsh)             in ~/.zshrc, after compinit
  fish   galley completion fish > ~/.config/fish/completions/galley.fish

Exit codes: 0 done, 2 wrong usage.`;

export interface Verb {
  about: string;
  load: () => Promise<(args: string[]) => Promise<number>>;
}

interface Completed {
  verb: string;
  about: string;
  /** Words that may follow the verb, such as `create` of `galley keys create`. */
  words: string[];
  /** With their two dashes. */
  options: string[];
}

/** What a verb prints for `--help`. */
async function helpOf({ load }: Verb): Promise<string> {
  const run = await load();
  const write = process.stdout.write.bind(process.stdout);
  let help = '';
  process.stdout.write = ((text: string) => {
    help += text;
    return true;
  }) as typeof process.stdout.write;
  try {
    await run(['--help']);
  } finally {
    process.stdout.write = write;
  }
  return help;
}

function unique(words: Iterable<string>): string[] {
  return [...new Set(words)].sort();
}

/** `list` and `revoke` of `galley keys list | revoke ID [options]`; for `<command>`, those listed below it. */
function wordsOf(verb: string, help: string): string[] {
  const synopsis = new RegExp(`^galley ${verb} (.*)$`, 'm').exec(help)?.[1] ?? '';
  if (synopsis.startsWith('<command>'))
    return [...help.matchAll(/^ {2}([a-z][a-z-]*)(?: [A-Z]+)* {2,}/gm)].map(([, word]) => word!);
  const alternatives = synopsis
    .replaceAll(/\[options\]|<[^>]*>/g, '')
    .replaceAll(/[[\]]/g, '')
    .split('|');
  return alternatives.flatMap((one) => /^\s*([a-z][a-z-]*)(?: [A-Z]+)*\s*$/.exec(one)?.[1] ?? []);
}

/** Those that begin a line of the help; what it says in a sentence may be another command's. */
function optionsOf(help: string): string[] {
  const lines = [...help.matchAll(/^ +(?:-[a-z], )?(--[a-z][a-z-]*(?:, --[a-z][a-z-]*)*)/gm)];
  return [...lines.flatMap(([, options]) => options!.split(', ')), '--help'];
}

async function completed(verb: string, given: Verb): Promise<Completed> {
  const help = await helpOf(given);
  return { verb, about: given.about, words: unique(wordsOf(verb, help)), options: unique(optionsOf(help)) };
}

/** In single quotes of any of the three shells. */
function quoted(text: string, shell: 'posix' | 'fish'): string {
  return `'${shell === 'fish' ? text.replaceAll(/['\\]/g, String.raw`\$&`) : text.replaceAll("'", String.raw`'\''`)}'`;
}

function forBash(verbs: readonly Completed[]): string {
  const cases = verbs.map(
    ({ verb, words, options }) =>
      `    ${verb}) words=${quoted(words.join(' '), 'posix')} options=${quoted(options.join(' '), 'posix')} ;;`,
  );
  return `_galley() {
  local current=\${COMP_WORDS[COMP_CWORD]} words= options=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(verbs.map(({ verb }) => verb).join(' '), 'posix')} -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 2 ] && [ -n "$words" ] && [[ $current != -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  fi
}
complete -o default -F _galley galley
`;
}

function forZsh(verbs: readonly Completed[]): string {
  const list = (items: readonly string[]): string => items.map((item) => quoted(item, 'posix')).join(' ');
  const cases = verbs.map(
    ({ verb, words, options }) => `    ${verb}) subcommands=(${list(words)}) options=(${list(options)}) ;;`,
  );
  return `#compdef galley
_galley() {
  local -a commands subcommands options
  commands=(${list(verbs.map(({ verb, about }) => `${verb}:${about.replaceAll(':', String.raw`\:`)}`))})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${cases.join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then
    compadd -- $options
  elif (( CURRENT == 3 && $#subcommands )); then
    compadd -- $subcommands
  else
    _files
  fi
}
(( $+functions[compdef] )) && compdef _galley galley
`;
}

function forFish(verbs: readonly Completed[]): string {
  const lines = verbs.flatMap(({ verb, about, words, options }) => {
    const seen = `-n ${quoted(`__fish_seen_subcommand_from ${verb}`, 'fish')}`;
    return [
      `complete -c galley -n __fish_use_subcommand -f -a ${verb} -d ${quoted(about, 'fish')}`,
      ...words.map((word) => `complete -c galley ${seen} -a ${word}`),
      ...options.map((option) => `complete -c galley ${seen} -l ${option.slice(2)}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}

const SHELLS = { bash: forBash, zsh: forZsh, fish: forFish };

/** Returns the exit code; throws {@link UsageError}. */
export async function completion(args: string[], verbs: Readonly<Record<string, Verb>>): Promise<number> {
  const { values, positionals } = readArguments('completion', args, {});
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const [shell = '', ...more] = positionals;
  if (!Object.hasOwn(SHELLS, shell) || more.length) throw new UsageError(USAGE);
  const all: Completed[] = [];
  for (const [verb, given] of Object.entries(verbs)) all.push(await completed(verb, given));
  process.stdout.write(SHELLS[shell as keyof typeof SHELLS](all));
  return 0;
}
