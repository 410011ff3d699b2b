import { CLIENTS, findClient, type ClientProfile } from '../../../engines/client-emulation/index.ts';

/** The profile of a client, also of one that the catalog has dropped since the test was made. */
export function profileOf(clientId: string): ClientProfile {
  const profile = findClient(clientId);
  if (profile) return profile;
  const [stand] = CLIENTS;
  if (!stand) throw new Error('The catalog of clients is empty.');
  return { ...stand, id: clientId, displayName: clientId };
}
