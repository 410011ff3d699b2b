// An installed package has no browser and no fonts: they are fetched when pictures are first asked for. A checkout has
// both from set-up, where this does nothing.
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { letOthersRead } from '../data-dir/index.ts';
import { messageOf } from '../errors/index.ts';
import { PART_TABLE, PartError, removeLeft, RUNTIME_DIR, withPackages } from '../parts/index.ts';
import { findChromium } from './chromium/install.ts';
import { unpackChromium } from './chromium/unpack.ts';
import { RenderError } from './errors.ts';
import { hasFonts, prepareFonts } from './fonts/fonts.ts';

interface ProvideOptions {
  chromiumPath: string | undefined;
  /** Hears of a fetch before it begins. */
  tell: (text: string) => void;
}

async function provideChromium({ chromiumPath, tell }: ProvideOptions): Promise<void> {
  const packages = PART_TABLE?.parts.browser ?? [];
  const [chromium] = packages;
  if (chromiumPath || chromium === undefined || process.platform !== 'linux' || process.arch !== 'x64') return;
  try {
    await findChromium({ runtimeDir: RUNTIME_DIR });
    return;
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
  }
  tell('galley: fetching the browser once (70 MB) …');
  const executablePath = await withPackages(packages, RUNTIME_DIR, async (packagesDir) => {
    const made = await unpackChromium({ packageDir: join(packagesDir, chromium.name), runtimeDir: RUNTIME_DIR });
    return made.kind === 'ready' ? made.executablePath : undefined;
  });
  if (executablePath !== undefined) letOthersRead(dirname(executablePath));
}

async function provideFonts(tell: (text: string) => void): Promise<void> {
  if (PART_TABLE === undefined || (await hasFonts(RUNTIME_DIR))) return;
  tell('galley: fetching the fonts once (62 MB) …');
  const { fontsConf } = await withPackages(PART_TABLE.parts.fonts, RUNTIME_DIR, (packagesDir) =>
    prepareFonts({ packagesDir, runtimeDir: RUNTIME_DIR }),
  );
  letOthersRead(dirname(fontsConf));
}

/** Fetches what is missing. Throws `RenderError` (`start_failed`) with what to do when it cannot be had. */
export async function provideEngine(options: ProvideOptions): Promise<void> {
  if (PART_TABLE === undefined) return;
  try {
    await mkdir(RUNTIME_DIR, { recursive: true, mode: 0o755 });
    // A browser that runs as another user enters them, whatever the umask of who made them.
    for (const dir of [dirname(RUNTIME_DIR), RUNTIME_DIR]) await chmod(dir, 0o755).catch(() => undefined);
    const done = await Promise.allSettled([provideChromium(options), provideFonts(options.tell)]);
    await removeLeft(RUNTIME_DIR);
    for (const one of done) if (one.status === 'rejected') throw one.reason;
  } catch (error) {
    if (error instanceof PartError) throw new RenderError('start_failed', error.message, error);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EROFS' || code === 'ENOSPC')
      throw new RenderError(
        'start_failed',
        `The browser and the fonts cannot be kept (${messageOf(error)}): name another directory in GALLEY_CACHE_DIR.`,
        error,
      );
    throw error;
  }
}
