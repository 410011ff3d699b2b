// Dovecot with a configuration of its own: any user with one password, mail by LMTP, a Sieve script that files it,
// IMAP.
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { daemonDirectory, findProgram, freePorts, isRoot, startDaemon } from './daemon.ts';

const program = findProgram('dovecot');

/** Why tests with Dovecot cannot run here; undefined when they can. */
export const dovecotAbsence = absence();

function absence(): string | undefined {
  if (!program) return 'dovecot is not installed';
  if (!isRoot) return 'dovecot needs root to become its own users';
  const missing = ['imap', 'lmtp', 'sievec'].find((name) =>
    name === 'sievec' ? !findProgram(name) : !existsSync(`/usr/lib/dovecot/${name}`),
  );
  if (missing) return `dovecot has no ${missing} here`;
  // 2.4 reads another configuration.
  return spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.startsWith('2.3.')
    ? undefined
    : 'dovecot is not 2.3';
}

export const DOVECOT_PASSWORD = 'seed-password-in-tests';

/**
 * Spam that a filter marked goes to Junk, lists to Promotions, `X-Test-Copy` stands in two folders, `X-Test-Discard`
 * vanishes.
 */
const FILING_SCRIPT = `require ["fileinto", "copy", "mailbox"];
if header :is "X-Test-Discard" "yes" { discard; stop; }
if header :is "X-Test-Copy" "yes" { fileinto :copy "Archive"; }
if header :contains "X-Spam-Flag" "YES" { fileinto "Junk"; stop; }
if exists "List-Unsubscribe" { fileinto :create "Promotions"; stop; }
`;

export interface DovecotDaemon {
  imapPort: number;
  lmtpPort: number;
  output(): string;
  close(): Promise<void>;
}

interface DovecotOptions {
  script?: string;
  /** Lines added to the configuration. */
  extra?: string;
}

/** Ready in about half a second. Users exist by being asked for: `anything@example.com`. */
export async function startDovecot({
  script = FILING_SCRIPT,
  extra = '',
}: DovecotOptions = {}): Promise<DovecotDaemon> {
  const directory = await daemonDirectory('dovecot');
  const [imapPort, lmtpPort] = (await freePorts(2)) as [number, number];
  const path = directory.path;
  await mkdir(join(path, 'run'));
  await mkdir(join(path, 'mail'));
  // Mail belongs to nobody, whom Dovecot becomes for every user.
  await chmod(join(path, 'mail'), 0o777);
  await writeFile(join(path, 'filing.sieve'), script);
  const compiled = spawnSync('sievec', ['-c', '/dev/null', join(path, 'filing.sieve')], { encoding: 'utf8' });
  if (compiled.status !== 0) throw new Error(`sievec: ${compiled.stderr}`);
  await chmod(join(path, 'filing.svbin'), 0o644);
  await writeFile(join(path, 'dovecot.conf'), `${configuration(path, { imapPort, lmtpPort })}\n${extra}\n`);
  const daemon = await startDaemon({
    command: program as string,
    args: ['-F', '-c', join(path, 'dovecot.conf')],
    port: imapPort,
  });
  return {
    imapPort,
    lmtpPort,
    output: daemon.output,
    async close() {
      await daemon.close();
      await directory.remove();
    },
  };
}

function configuration(path: string, { imapPort, lmtpPort }: { imapPort: number; lmtpPort: number }): string {
  const off = { port: 0 };
  return `base_dir = ${path}/run
log_path = /dev/stderr
protocols = imap lmtp
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
mail_location = maildir:${path}/mail/%u
mail_home = ${path}/mail/%u
first_valid_uid = 1
mail_uid = nobody
mail_gid = nogroup
default_internal_user = dovecot
default_login_user = dovenull
auth_failure_delay = 0
lmtp_save_to_detail_mailbox = no
passdb {
  driver = static
  args = password=${DOVECOT_PASSWORD}
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${path}/mail/%u allow_all_users=yes
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Junk {
    auto = subscribe
    special_use = \\Junk
  }
  mailbox Trash {
    auto = subscribe
    special_use = \\Trash
  }
  mailbox Archive {
    auto = subscribe
    special_use = \\Archive
  }
}
protocol lmtp {
  mail_plugins = sieve
  postmaster_address = postmaster@example.com
}
plugin {
  sieve_before = ${path}/filing.sieve
}
service imap-login {
  process_min_avail = 1
  inet_listener imap {
    address = 127.0.0.1
    port = ${imapPort}
  }
  inet_listener imaps {
    port = ${off.port}
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = ${lmtpPort}
  }
}
service imap {
  process_limit = 64
}`;
}
