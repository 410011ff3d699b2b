// Every setting: name, default, unit and meaning. docs/configuration.md and .env.example are generated from this.
import { OIDC_SETTINGS } from './oidc.ts';
import { QUOTAS, quotasFault } from './quotas.ts';
import { REGION_SETTINGS } from './regions.ts';
import { SLACK_SETTINGS } from './slack.ts';
import { BLOCKLIST_SETTINGS } from './blocklists.ts';
import { DATABASE_SETTINGS } from './database.ts';
import { DNS_SETTINGS } from './dns.ts';
import { SENDING_IP_SETTINGS } from './sending-ips.ts';
import { SUBMISSION_SETTINGS } from './submission.ts';
import { TRACKING_TLS_SETTINGS } from './tracking-tls.ts';
import { VALIDATION_SETTINGS } from './validation.ts';
import { addressRanges, oneOf, portRanges, someOf, url, whole } from './values.ts';
import { spamdAddressFault } from '../spam-filters/index.ts';

export interface Setting {
  name: string;
  /** The empty text means unset. */
  default: string;
  about: string;
  /** The fault of a value; undefined when it is valid. */
  check?: (text: string) => string | undefined;
  /** The value is never repeated in a message. */
  isSecret?: true;
}

export const SETTINGS: readonly Setting[] = [
  {
    name: 'GALLEY_PORT',
    default: '8400',
    about:
      'Port of the API and the dashboard; without the role `api`, of `/health` and `/metrics` alone. 0 takes a free one.',
    check: whole(0, 65535),
  },
  {
    name: 'GALLEY_HOST',
    default: '127.0.0.1',
    about: 'Address to listen on. `0.0.0.0` opens the service to the network: put TLS in front of it.',
  },
  {
    name: 'GALLEY_PUBLIC_URL',
    default: '',
    about:
      'How callers reach the service, such as `https://galley.example.com`; it starts every URL in answers. Unset: ' +
      'each answer uses the address it was asked at.',
    check: url('http:', 'https:'),
  },
  {
    name: 'GALLEY_TRUSTED_PROXIES',
    default: '',
    about:
      'Addresses or CIDR ranges of the proxies in front of the service, such as `127.0.0.1,10.0.0.0/8`, joined by ' +
      'commas; what their `X-Forwarded-…` headers say of the caller is believed. Unset: nobody’s are.',
    check: addressRanges,
  },
  {
    name: 'GALLEY_KEY_REQUESTS_PER_MINUTE',
    default: '60000',
    about:
      'Requests that one API key may send within a minute to one process; more are answered 429 with ' +
      '`Retry-After`. 0: as many as it likes.',
    check: whole(0, 100_000_000),
  },
  {
    name: 'GALLEY_ACCOUNT_REQUESTS_PER_MINUTE',
    default: '120000',
    about: 'The same for all keys of one account together. 0: as many as they like.',
    check: whole(0, 100_000_000),
  },
  {
    name: 'GALLEY_WRONG_KEYS_PER_MINUTE',
    default: '120',
    about:
      'Wrong keys that one IPv4 address, or one IPv6 network of 64 bits, may show within a minute; ' +
      'then it is answered 429, but for keys that were right from there before. 0: as many as it likes.',
    check: whole(0, 1_000_000),
  },
  {
    name: 'GALLEY_QUOTAS',
    default: '',
    about: `What one account may have at once, such as \`mailboxes=20,keys=50\`; more is answered 429. Those that are not named: ${Object.entries(
      QUOTAS,
    )
      .map(([name, { max, about }]) => `\`${name}=${max}\` (${about})`)
      .join(', ')}.`,
    check: quotasFault,
  },
  {
    name: 'GALLEY_HEADERS_SECONDS',
    default: '30',
    about: 'Seconds after which a connection that has not sent the headers of its request is cut.',
    check: whole(1, 600),
  },
  {
    name: 'GALLEY_METRICS_TOKEN',
    default: '',
    about:
      'What `/metrics` asks for as `Authorization: Bearer …`; at least 16 characters. Unset: it answers this ' +
      'machine only, and no proxy.',
    check: (text) =>
      /^[\x21-\x7e]{16,200}$/.test(text) ? undefined : 'give 16 to 200 printable ASCII characters without spaces.',
    isSecret: true,
  },
  {
    name: 'GALLEY_DATA_DIR',
    default: './.galley',
    about:
      'Directory of the embedded database, stored objects, mail that waits, and the key for secrets. At every start ' +
      'it is closed to other users of the machine.',
  },
  {
    name: 'GALLEY_API_KEY',
    default: '',
    about: 'Key of the first account at first start, instead of a generated one; at least 16 characters.',
    check: (text) =>
      /^[\x21-\x7e]{16,200}$/.test(text) ? undefined : 'give 16 to 200 printable ASCII characters without spaces.',
    isSecret: true,
  },
  ...DATABASE_SETTINGS,
  {
    name: 'GALLEY_STORAGE_URL',
    default: '',
    about:
      'S3-compatible store, `s3://key:secret@host/bucket?region=eu-1&tls=off`. Unset: ' +
      'a directory in the data directory.',
    check: url('s3:'),
    isSecret: true,
  },
  {
    name: 'GALLEY_ROLES',
    default: 'api,work,mail,send',
    about:
      'What this process does: answer the API (`api`), run jobs (`work`), receive mail (`mail`), take messages of the ' +
      'sending API from their queue (`send`).',
    check: someOf('api', 'work', 'mail', 'send'),
  },
  {
    name: 'GALLEY_DELIVERY',
    default: 'capture',
    about:
      'What becomes of messages of the sending API. `capture`: nothing leaves the machine; every message is kept, can ' +
      'be read back, and its events say that it was captured. `live`: it is delivered, by the relay of ' +
      '`GALLEY_SMTP_RELAY` or to the servers that MX records name, and only as a verified domain; a domain may be ' +
      'captured all the same. A message keeps the mode that it was accepted in.',
    check: oneOf('capture', 'live'),
  },
  {
    name: 'GALLEY_EVENT_RETENTION_DAYS',
    default: '30',
    about:
      'Days that events of messages are kept, and what is known of the messages. Their contents are kept for three ' +
      'days. An account may have fewer days of its own.',
    check: whole(1, 3650),
  },
  {
    name: 'GALLEY_AUDIT_DAYS',
    default: '400',
    about: 'Days that entries of the audit log are kept: who changed what, from where.',
    check: whole(1, 3650),
  },
  ...OIDC_SETTINGS,
  ...REGION_SETTINGS,
  {
    name: 'GALLEY_SMTP_PORT',
    default: '2525',
    about: 'Port of the SMTP listener for preview addresses and local receivers. 0 takes a free one.',
    check: whole(0, 65535),
  },
  {
    name: 'GALLEY_SMTP_DOMAIN',
    default: 'galley.localhost',
    about:
      'Domain of the preview addresses; point its MX record at the SMTP listener. Local receivers have ' +
      'their addresses below it.',
    check: (text) => (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? undefined : 'give a domain name.'),
  },
  {
    name: 'GALLEY_SMTP_MESSAGE_MIB',
    default: '50',
    about: 'Largest message the SMTP listener takes, in MiB.',
    check: whole(1, 200),
  },
  ...SUBMISSION_SETTINGS,
  ...TRACKING_TLS_SETTINGS,
  ...VALIDATION_SETTINGS,
  ...BLOCKLIST_SETTINGS,
  {
    name: 'GALLEY_SMTP_RELAY',
    default: '',
    about:
      'Relay that takes all outgoing mail, `smtp://user:password@host:587` (STARTTLS, required when there is a ' +
      'password) or `smtps://…:465`. Unset: mail goes straight to the servers that the recipients’ MX records name.',
    check: url('smtp:', 'smtps:'),
    isSecret: true,
  },
  {
    name: 'GALLEY_SMTP_HELO',
    default: '',
    about:
      'Name that outgoing mail connections greet with; the reverse DNS of the sending address should say the same. ' +
      'Unset: `GALLEY_SMTP_DOMAIN`.',
    check: (text) => (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? undefined : 'give a domain name.'),
  },
  ...SENDING_IP_SETTINGS,
  {
    name: 'GALLEY_IMAP_PORTS',
    default: '143,993',
    about: 'Ports at which mailboxes that tests look into may be, such as `143,993,1143-1150`, joined by commas.',
    check: portRanges,
  },
  ...DNS_SETTINGS,
  ...SLACK_SETTINGS,
  {
    name: 'GALLEY_SPAMD',
    default: '',
    about: '`host:port` of SpamAssassin’s spamd, which local receivers and `galley spam` then ask too.',
    check: spamdAddressFault,
  },
  {
    name: 'GALLEY_RSPAMD',
    default: '',
    about:
      'URL of Rspamd’s normal worker, such as `http://127.0.0.1:11333`, which local receivers and ' +
      '`galley spam` then ask too.',
    check: url('http:', 'https:'),
  },
  {
    name: 'GALLEY_FIND_FILTERS',
    default: 'on',
    about:
      '`on`: SpamAssassin and Rspamd are asked too when they run on this machine at their default ports (783; ' +
      '11333, 11334), without a setting. `off`: only those that `GALLEY_SPAMD` and `GALLEY_RSPAMD` name.',
    check: oneOf('on', 'off'),
  },
  {
    name: 'GALLEY_SECRET_KEY',
    default: '',
    about:
      'What stored credentials and signing keys are encrypted with; at least 32 characters, the same in every ' +
      'process. Unset: the file `secret.key` in the data directory, made at first start.',
    check: (text) => (text.length >= 32 ? undefined : 'give at least 32 characters.'),
    isSecret: true,
  },
  {
    name: 'GALLEY_ALLOW_HOSTS',
    default: '',
    about:
      'Hosts that may be fetched although they are not public: names, `host:port`, addresses or CIDR ' +
      'ranges, joined by commas.',
  },
  {
    name: 'GALLEY_CHROMIUM',
    default: '',
    about: 'Path of the Chromium to use. Unset: `/usr/bin/chromium` when present, else the one that set-up unpacked.',
  },
  {
    name: 'GALLEY_CACHE_DIR',
    default: '',
    about:
      'Where the installed package keeps the browser, the fonts and Node 24, which it fetches once. Unset: the cache ' +
      'directory of the user (`~/.cache/galley` on Linux, `/var/cache/galley` for root). Unused in a checkout.',
  },
  {
    name: 'GALLEY_THUNDERBIRD',
    default: '',
    about: 'Path of the Thunderbird to use. Unset: the one that the system installed, when there is one.',
  },
  {
    name: 'GALLEY_OPTIONAL_ENGINES',
    default: 'on',
    about: '`off` keeps Firefox, WebKit and Thunderbird unused even when they are installed.',
    check: oneOf('on', 'off'),
  },
  {
    name: 'GALLEY_BROWSERS',
    default: '0',
    about: 'Browser processes that render at once. 0: one per core.',
    check: whole(0, 64),
  },
  {
    name: 'GALLEY_RENDER_SECONDS',
    default: '10',
    about:
      'Processor seconds that one screenshot may take; ordinary ones take less than half a second. One that needs ' +
      'more bounces, with that reason.',
    check: whole(1, 600),
  },
  {
    name: 'GALLEY_RENDER_MEMORY_MIB',
    default: '1024',
    about: 'Memory that one process of the browser may use. A screenshot that needs more bounces, with that reason.',
    check: whole(512, 65536),
  },
  {
    name: 'GALLEY_COMPUTE_PROCESSES',
    default: '0',
    about: 'Processes that read and analyze messages at once. 0: one per core, at most four.',
    check: whole(0, 64),
  },
  {
    name: 'GALLEY_COMPUTE_SECONDS',
    default: '60',
    about: 'Seconds of processor time that one analysis of a message may take; one that takes more ends as failed.',
    check: whole(1, 600),
  },
  {
    name: 'GALLEY_COMPUTE_MEMORY_MIB',
    default: '1024',
    about: 'Memory that one analysis of a message may take, in MiB; one that takes more ends as failed.',
    check: whole(128, 16_384),
  },
  {
    name: 'GALLEY_SCREENSHOT_HEIGHT_MAX',
    default: '20000',
    about: 'Where a screenshot is cut, in CSS pixels; a cut one says so.',
    check: whole(1000, 32000),
  },
  {
    name: 'GALLEY_PREVIEW_RETENTION_DAYS',
    default: '90',
    about: 'Days until a preview test and its pictures are deleted.',
    check: whole(1, 3650),
  },
  {
    name: 'GALLEY_PREVIEW_REQUEUE_SECONDS',
    default: '180',
    about:
      'Seconds that one try of a screenshot may run; then it is ended and queued again. Waiting for ' +
      'its turn does not count.',
    check: whole(10, 3600),
  },
  {
    name: 'GALLEY_GEO_FILE',
    default: '',
    about:
      'A file in the format of MaxMind DB (`.mmdb`), of countries or of cities, by which opens and clicks have a ' +
      'place. It is read at start and held in memory, 512 MB at most; a file that was replaced is read at the next ' +
      'start. Nothing is fetched. A file that cannot be read stops the start. Unset: places are `Unknown`.',
  },
  {
    name: 'GALLEY_LOG_LEVEL',
    default: 'info',
    about: 'Least serious level that is logged.',
    check: oneOf('silent', 'error', 'warn', 'info', 'debug'),
  },
  {
    name: 'GALLEY_DRAIN_SECONDS',
    default: '20',
    about: 'Seconds that SIGTERM waits for work under way; what is left resumes at the next start.',
    check: whole(0, 600),
  },
];
