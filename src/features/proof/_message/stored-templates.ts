// Templates that the account keeps, as far as a source of an email needs them. They are kept by a feature above this one.
import type { Outside } from '../../../platform/feature/index.ts';
import { definePort } from '../../../platform/ports/index.ts';

interface NamedTemplate {
  name: string;
  /** The tag of a version; the active one without it. */
  version: string | undefined;
  /** The domain whose templates are looked at before those of the account. */
  domain: string | undefined;
  variables: Readonly<Record<string, unknown>>;
}

interface FilledTemplate {
  html: string;
  subject: string | undefined;
  /** Names without a value, which became nothing. */
  missing: readonly string[];
}

interface StoredTemplates {
  /** As a message would be made from it. Throws `invalid_request` naming the field. */
  fill(outside: Pick<Outside, 'db' | 'compute'>, accountId: string, wanted: NamedTemplate): Promise<FilledTemplate>;
}

export const storedTemplates = definePort<StoredTemplates>('message.stored-templates');
