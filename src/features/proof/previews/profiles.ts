import { CLIENTS, findClient, type ClientProfile } from '../../../engines/client-emulation/index.ts';
import type { PreviewTest } from './store.ts';

/** The profile of a client, also of one that the catalog has dropped since the test was made. */
export function profileOf(clientId: string): ClientProfile {
  const profile = findClient(clientId);
  if (profile) return profile;
  const [stand] = CLIENTS;
  if (!stand) throw new Error('The catalog of clients is empty.');
  return { ...stand, id: clientId, displayName: clientId };
}

/** With a reading pane of this width, in CSS pixels; a phone's screen is as wide as it is, and so is null. */
export function inPane(profile: ClientProfile, width: number | null): ClientProfile {
  if (width === null || profile.category === 'Mobile') return profile;
  return { ...profile, viewport: { ...profile.viewport, width } };
}

/** The profile of a client as this test shows it. */
export function profileIn({ paneWidth }: Pick<PreviewTest, 'paneWidth'>, clientId: string): ClientProfile {
  return inPane(profileOf(clientId), paneWidth);
}
