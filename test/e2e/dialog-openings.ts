// Every dialog, drawer and menu of the dashboard, and how a person opens it.
import { by } from './chromium.ts';
import type { FilledAccount } from './filled-account.ts';

type Ids = FilledAccount['ids'];

export interface Opening {
  /** The file below `web/src` that draws it. */
  file: string;
  path: (ids: Ids) => string;
  /** What is pressed to open it: the focus returns to the last of them that is still there. */
  press: string[];
  width?: number;
  /** It belongs to a person who signed in by password. */
  isOwn?: boolean;
}

const atTest = (ids: Ids): string => `/previews/${ids.test}`;
/** Every dialog and drawer. */
export const DIALOGS: Opening[] = [
  { file: 'ground/shell/shortcuts-help.tsx', path: () => '/clients', press: [by('button', 'Keyboard shortcuts')] },
  {
    file: 'ground/shell/account-switch.tsx',
    path: () => '/clients',
    press: ['button[aria-label^="Account "]', by('menuitem', 'Switch account')],
  },
  { file: 'ground/shell/palette.tsx', path: () => '/clients', press: [by('button', 'Search everything')] },
  { file: 'ground/shell/small-menu.tsx', path: () => '/clients', press: [by('button', 'Menu')], width: 390 },
  {
    file: 'ground/shell/later.tsx',
    path: (ids) => `/placement/lists/${encodeURIComponent(ids.list)}`,
    press: [by('button', 'Delete')],
  },
  {
    file: 'ground/shell/later.tsx',
    path: atTest,
    press: [by('button', 'More actions'), by('menuitem', 'Delete test')],
  },
  {
    file: 'areas/proof/previews/test/details-drawer.tsx',
    path: atTest,
    press: [by('button', 'More actions'), by('menuitem', 'Details')],
  },
  {
    file: 'ground/shell/rename-dialog.tsx',
    path: atTest,
    press: [by('button', 'More actions'), by('menuitem', 'Rename')],
  },
  { file: 'ground/shell/rename-dialog.tsx', path: (ids) => `/spam/${ids.spam}`, press: [by('button', 'Rename')] },
  { file: 'areas/proof/previews/test/share-dialog.tsx', path: atTest, press: [by('button', 'Share')] },
  { file: 'areas/proof/previews/test/export-dialog.tsx', path: atTest, press: [by('button', 'Export')] },
  { file: 'areas/proof/previews/test/source-drawer.tsx', path: atTest, press: [by('button', 'Source')] },
  {
    file: 'shared/client-view/client-details.tsx',
    path: (ids) => `${atTest(ids)}/client/ol2021`,
    press: [by('button', 'Details')],
    width: 390,
  },
  {
    file: 'areas/proof/accessibility/repaired-drawer.tsx',
    path: (ids) => `${atTest(ids)}/accessibility`,
    press: [by('button', 'Repair')],
  },
  {
    file: 'areas/proof/links/sheet-comparison.tsx',
    path: (ids) => `${atTest(ids)}/links`,
    press: [by('button', 'Compare with a spreadsheet')],
  },
  {
    file: 'areas/proof/images/before-after.tsx',
    path: (ids) => `${atTest(ids)}/images`,
    press: ['button[aria-label^="Compare before and after"]'],
  },
  {
    file: 'areas/proof/gate/approve-dialog.tsx',
    path: (ids) => `/gate/${ids.gate}?part=screenshots`,
    press: [by('button', 'Approve screenshot')],
  },
  { file: 'areas/proof/_seeds/mailbox-dialog.tsx', path: () => '/mailboxes', press: [by('button', 'New mailbox')] },
  {
    file: 'areas/send/messages/resend-dialog.tsx',
    path: (ids) => `/messages/${ids.domain}/${ids.message}`,
    press: [by('button', 'Send again')],
  },
  { file: 'areas/send/suppressions/add-dialog.tsx', path: () => '/suppressions', press: [by('button', 'Add')] },
  { file: 'areas/send/suppressions/import-dialog.tsx', path: () => '/suppressions', press: [by('button', 'Import')] },
  {
    file: 'areas/send/templates/new-template-dialog.tsx',
    path: () => '/templates',
    press: [by('button', 'New template')],
  },
  {
    file: 'areas/send/templates/describe-dialog.tsx',
    path: () => '/templates/welcome',
    press: [by('button', 'Edit description')],
  },
  {
    file: 'areas/send/templates/copy-dialog.tsx',
    path: () => '/templates/welcome',
    press: [by('button', 'Copy')],
  },
  {
    file: 'areas/send/templates/send-dialog.tsx',
    path: () => '/templates/welcome',
    press: [by('button', 'Send test')],
  },
  {
    file: 'areas/proof/captures/decision.tsx',
    path: (ids) => `/captures/${ids.capture}`,
    press: [by('button', 'Accept')],
  },
  {
    file: 'areas/proof/capture-agents/enroll-dialog.tsx',
    path: () => '/capture-agents',
    press: [by('button', 'Enroll an agent')],
  },
  {
    file: 'areas/work/schedules/schedule-dialog.tsx',
    path: () => '/schedules',
    press: [by('button', 'New schedule')],
  },
  {
    file: 'areas/work/emails/file-dialog.tsx',
    path: (ids) => `/emails/${ids.email}`,
    press: [by('button', 'Rename or file')],
  },
  {
    file: 'areas/work/emails/ignore-dialog.tsx',
    path: (ids) => `/emails/${ids.email}?tab=findings`,
    press: [by('button', 'Ignore…')],
  },
  {
    file: 'areas/work/emails/invite-dialog.tsx',
    path: (ids) => `/emails/${ids.email}?tab=review`,
    press: [by('button', 'Invite a reviewer')],
  },
  {
    file: 'areas/send/mailing-lists/list-dialog.tsx',
    path: () => '/lists',
    press: [by('button', 'New list')],
  },
  {
    file: 'areas/send/mailing-lists/member-dialog.tsx',
    path: (ids) => `/lists/readers@${ids.domain}`,
    press: [by('button', 'Add member')],
  },
  {
    file: 'areas/send/mailing-lists/upload-dialog.tsx',
    path: (ids) => `/lists/readers@${ids.domain}`,
    press: [by('button', 'Add many')],
  },
  {
    file: 'areas/send/sandbox-inboxes/new-inbox-dialog.tsx',
    path: () => '/sandbox',
    press: [by('button', 'New inbox')],
  },
  {
    file: 'areas/send/sandbox-inboxes/checks-dialog.tsx',
    path: () => '/sandbox/shop-tests',
    press: [by('button', 'On arrival')],
  },
  {
    file: 'areas/send/sandbox-inboxes/chaos-dialog.tsx',
    path: () => '/sandbox/shop-tests',
    press: [by('button', 'Chaos')],
  },
  {
    file: 'areas/send/sandbox-inboxes/connect-dialog.tsx',
    path: () => '/sandbox/shop-tests',
    press: [by('button', 'Settings for programs')],
  },
  {
    file: 'areas/send/sandbox-inboxes/release-dialog.tsx',
    path: (ids) => `/sandbox/shop-tests?message=${ids.sandboxMessage}`,
    press: [by('button', 'Release…')],
  },
  {
    file: 'areas/send/address-validations/upload-dialog.tsx',
    path: () => '/address-validation',
    press: [by('button', 'Validate a list')],
  },
  { file: 'areas/send/routes/route-dialog.tsx', path: () => '/routes', press: [by('button', 'New route')] },
  { file: 'areas/send/webhooks/webhook-dialog.tsx', path: () => '/webhooks', press: [by('button', 'New webhook')] },
  {
    file: 'areas/send/sending-domains/password-dialog.tsx',
    path: (ids) => `/domains/${ids.domain}`,
    press: [by('button', 'New credentials')],
  },
  { file: 'areas/send/sending-domains/domains-page.tsx', path: () => '/domains', press: [by('button', 'New domain')] },
  {
    file: 'areas/placement/inbox-placement/list-dialog.tsx',
    path: () => '/placement/lists',
    press: [by('button', 'New seed list')],
  },
  {
    file: 'areas/placement/inbox-placement/seed-drawer.tsx',
    path: (ids) => `/placement/${ids.result}`,
    press: ['tbody button'],
  },
  {
    file: 'areas/placement/inbox-placement/share-dialog.tsx',
    path: (ids) => `/placement/${ids.result}`,
    press: [by('button', 'Share')],
  },
  {
    file: 'areas/monitor/dmarc-reports/report-mailbox-dialog.tsx',
    path: () => '/dmarc',
    press: [by('button', 'New mailbox')],
  },
  { file: 'areas/monitor/spam-traps/trap-dialog.tsx', path: () => '/traps', press: [by('button', 'New trap')] },
  { file: 'areas/monitor/spam-traps/feed-dialog.tsx', path: () => '/traps', press: [by('button', 'Add a feed')] },
  { file: 'areas/monitor/spam-traps/report-dialog.tsx', path: () => '/traps', press: [by('button', 'Import')] },
  {
    file: 'areas/monitor/postmaster/connect-dialog.tsx',
    path: () => '/postmaster',
    press: [by('button', 'New connection')],
  },
  {
    file: 'areas/monitor/postmaster/upload-dialog.tsx',
    path: () => '/postmaster',
    press: [by('button', 'Upload an export')],
  },
  { file: 'areas/monitor/alerts/setting-dialog.tsx', path: () => '/alerts', press: [by('button', 'New setting')] },
  { file: 'areas/account/users/invite-dialog.tsx', path: () => '/users', press: [by('button', 'Invite')] },
  {
    file: 'areas/send/ip-pools/give-dialog.tsx',
    path: () => '/ips',
    press: [by('button', 'Subaccounts of 127.0.0.5')],
  },
  { file: 'areas/send/ip-pools/pool-dialog.tsx', path: () => '/ips', press: [by('button', 'New pool')] },
  { file: 'areas/monitor/thresholds/limit-dialog.tsx', path: () => '/thresholds', press: [by('button', 'New limit')] },
  {
    file: 'areas/monitor/thresholds/send-alert-dialog.tsx',
    path: () => '/thresholds',
    press: [by('button', 'New alert')],
  },
  {
    file: 'areas/send/dynamic-pools/pools-dialog.tsx',
    path: () => '/dynamic-pools',
    press: [by('button', 'Edit addresses')],
  },
  {
    file: 'areas/send/dynamic-pools/enroll-dialog.tsx',
    path: () => '/dynamic-pools',
    press: [by('button', 'Enroll domains')],
  },
  {
    file: 'areas/send/dynamic-pools/domain-dialogs.tsx',
    path: () => '/dynamic-pools',
    press: [by('button', 'Override: letters.example.com')],
  },
  {
    file: 'areas/send/dynamic-pools/domain-dialogs.tsx',
    path: () => '/dynamic-pools',
    press: [by('button', 'Remove: letters.example.com')],
  },
  {
    file: 'areas/send/sending-limits/limit-dialog.tsx',
    path: () => '/sending-rules?show=limits',
    press: [by('button', 'Add limit')],
  },
  {
    file: 'areas/send/ip-warmups/plan-dialog.tsx',
    path: () => '/ip-warmups',
    press: [by('button', 'Start a warm-up')],
  },
  {
    file: 'areas/account/accounts/subaccount-dialog.tsx',
    path: () => '/subaccounts',
    press: [by('button', 'Manage Acme newsletters')],
  },
  {
    file: 'areas/account/users/own/second-factor-dialogs.tsx',
    path: () => '/your-account',
    press: [by('button', 'Turn on a second factor')],
    isOwn: true,
  },
  {
    file: 'areas/account/users/own/new-passkey-dialog.tsx',
    path: () => '/your-account',
    press: [by('button', 'Add a passkey')],
    isOwn: true,
  },
  { file: 'areas/account/keys/new-key-dialog.tsx', path: () => '/keys', press: [by('button', 'New key')] },
];
/** Every menu. */
export const MENUS: Pick<Opening, 'path' | 'press'>[] = [
  { path: () => '/clients', press: ['button[aria-label^="Account "]'] },
  { path: () => '/clients', press: [by('button', 'New…')] },
  { path: atTest, press: [by('button', 'More actions')] },
  { path: (ids) => `${atTest(ids)}/findings`, press: [by('button', 'Report')] },
  { path: atTest, press: [by('button', 'All families')] },
];
