// Whether this machine has a network at all.
import { Resolver } from 'node:dns/promises';

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
