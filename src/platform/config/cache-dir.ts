// Where an installed Galley keeps what it fetched once for this user. Read before any setting is, and under every Node
// that can start the command, so it imports nothing of ours.
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/**
 * `GALLEY_CACHE_DIR`, else the user's cache directory by the system's custom. Root's own lies under a home that the
 * ordinary user whom browsers run as cannot enter, so that it is `/var/cache` there.
 */
function cacheDirOf(env: NodeJS.ProcessEnv): string {
  const given = env['GALLEY_CACHE_DIR'];
  if (given) return isAbsolute(given) ? given : resolve(given);
  if (process.platform === 'win32') return join(env['LOCALAPPDATA'] || join(homedir(), 'AppData', 'Local'), 'galley');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'galley');
  if (env['XDG_CACHE_HOME'] && isAbsolute(env['XDG_CACHE_HOME'])) return join(env['XDG_CACHE_HOME'], 'galley');
  return process.getuid?.() === 0 ? '/var/cache/galley' : join(homedir(), '.cache', 'galley');
}

/** The directory for this process. */
export function cacheDir(): string {
  return cacheDirOf(process.env);
}

/** How npm was started, by whoever started this process with it; undefined where it was not, or by another program. */
export function npmEntry(): string | undefined {
  const entry = process.env['npm_execpath'];
  return entry !== undefined && /npm-cli\.c?js$/.test(entry) ? entry : undefined;
}
