// Whether this machine has a network at all.
import { Resolver } from 'node:dns/promises';

/** Words of a name server that works; that the root does not exist, or that it could not ask on, is what a cut-off one says. */
const ANSWERS = new Set(['ENODATA', 'EREFUSED', 'ENOTIMP']);

/** Asks the machine's name servers for those of the root, which every one of them knows. False when there is no answer. */
export async function hasNetwork(timeoutMs = 2_000): Promise<boolean> {
  try {
    return (await new Resolver({ timeout: timeoutMs, tries: 1 }).resolveNs('.')).length > 0;
  } catch (error) {
    return ANSWERS.has((error as NodeJS.ErrnoException).code ?? '');
  }
}
