// Whether this machine has a network at all, and which addresses are its own.
import { Resolver } from 'node:dns/promises';
import { createServer, isIP } from 'node:net';

/**
 * Words of a name server that works; that the root does not exist, or that it could not ask on, is what a cut-off one
 * says.
 */
const ANSWERS = new Set(['ENODATA', 'EREFUSED', 'ENOTIMP']);

/**
 * Asks the named name servers, or the machine's, for those of the root, which every one of them knows. False when there
 * is no answer.
 */
export async function hasNetwork(servers: readonly string[] = [], timeoutMs = 2_000): Promise<boolean> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  if (servers.length) resolver.setServers(servers);
  try {
    return (await resolver.resolveNs('.')).length > 0;
  } catch (error) {
    return ANSWERS.has((error as NodeJS.ErrnoException).code ?? '');
  }
}

/** An IP address as it is written shortest, so that one address has one name; undefined for what is none. */
export function plainIp(text: string): string | undefined {
  const kind = isIP(text);
  if (kind === 0 || text.includes('%')) return undefined;
  return kind === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text;
}

/** Why this machine has no such address of its own; undefined when it has: connections may leave from it. */
export function bindFault(ip: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host: ip, port: 0, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
