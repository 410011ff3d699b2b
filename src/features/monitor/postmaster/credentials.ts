// What opens a provider's tool, as it is kept: encrypted, and opened only to read.
import type { Outside } from '../../../platform/feature/index.ts';
import type { Connection } from './connection-store.ts';
import type { ServiceAccount } from './google.ts';

/** By method of a connection. */
interface CredentialsOf {
  service_account: { account: ServiceAccount; subject?: string };
  refresh_token: { clientId: string; refreshToken: string };
  links: { dataUrl?: string; statusUrl?: string };
}
export type Credentials = CredentialsOf[keyof CredentialsOf];

export const purposeOf = (id: string): string => `postmaster:${id}`;

/** Opens what is kept of a connection of this method. */
export function openCredentials<Method extends keyof CredentialsOf>(
  { secrets }: Pick<Outside, 'secrets'>,
  { id, sealedCredentials }: Connection,
  _method: Method,
): CredentialsOf[Method] {
  return JSON.parse(secrets.open(sealedCredentials, purposeOf(id))) as CredentialsOf[Method];
}
