// `galley mcp`: Galley's checks as tools of an assistant, by the Model Context Protocol over standard input and output.
import { readArguments, UsageError } from './usage.ts';

const USAGE = `galley mcp [options]

  --root DIR   the folder whose emails tools may read, and repair when asked to (default: the current one)

An MCP server on standard input and output, for assistants that start it as a command. Tools: preview (screenshots as
pictures), check, fix, spam and explain. Each takes a file below the folder, HTML or a whole message as text, or a URL,
and runs the same command as the command line in a process of its own, which is ended after two minutes. No server and
no database are used. Exit codes: 0 the assistant closed the connection, 2 wrong usage.`;

/** Returns the exit code; throws {@link UsageError}. */
export async function mcp(args: string[]): Promise<number> {
  const { values, positionals } = readArguments('mcp', args, { root: { type: 'string', default: '.' } });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if (positionals.length) throw new UsageError(`galley mcp takes no ${positionals[0]}.\n\n${USAGE}`);
  return (await import('./mcp/serve-mcp.ts')).serveMcp(values.root);
}
