// THE list: every feature of Galley, one line each, alphabetical.
import type { Feature } from '../platform/feature/index.ts';
import accessibility from '../features/accessibility/index.ts';
import accounts from '../features/accounts/index.ts';
import codeAnalysis from '../features/code-analysis/index.ts';
import gate from '../features/gate/index.ts';
import images from '../features/images/index.ts';
import inboxPlacement from '../features/inbox-placement/index.ts';
import inspections from '../features/inspections/index.ts';
import keys from '../features/keys/index.ts';
import links from '../features/links/index.ts';
import previewAddress from '../features/preview-address/index.ts';
import previewClients from '../features/preview-clients/index.ts';
import previewExports from '../features/preview-exports/index.ts';
import previewSharing from '../features/preview-sharing/index.ts';
import previewSummaries from '../features/preview-summaries/index.ts';
import previews from '../features/previews/index.ts';
import seeds from '../features/seeds/index.ts';
import sendingDomains from '../features/sending-domains/index.ts';
import sessions from '../features/sessions/index.ts';
import spamTests from '../features/spam-tests/index.ts';

export const FEATURES: readonly Feature[] = [
  accessibility,
  accounts,
  codeAnalysis,
  gate,
  images,
  inboxPlacement,
  inspections,
  keys,
  links,
  previewAddress,
  previewClients,
  previewExports,
  previewSharing,
  previewSummaries,
  previews,
  seeds,
  sendingDomains,
  sessions,
  spamTests,
];
