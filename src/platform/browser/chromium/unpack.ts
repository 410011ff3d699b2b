// Unpacks the Chromium that an npm package carries, into a folder that only its owner can write.
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib';
import { moveIntoPlace } from '../move-into-place.ts';
import { tarFiles } from '../../parts/index.ts';

type UnpackedChromium =
  | { kind: 'ready'; executablePath: string; isNew: boolean }
  /** The package carries no binary for this platform. */
  | { kind: 'unsupported'; platform: string };

const CHUNK_BYTES = 1024 * 1024;
const LIBRARY_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Writes `<runtimeDir>/chromium-<version>/{chromium,lib/}` from the package in `packageDir`; does nothing when it is
 * there. The package's own code is not used: it would take whatever lies in the shared temporary directory.
 */
export async function unpackChromium(options: { packageDir: string; runtimeDir: string }): Promise<UnpackedChromium> {
  const { packageDir, runtimeDir } = options;
  const platform = `${process.platform}-${process.arch}`;
  const manifest = join(packageDir, 'package.json');
  if (platform !== 'linux-x64' || !existsSync(manifest)) return { kind: 'unsupported', platform };
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  const targetDir = join(runtimeDir, `chromium-${version}`);
  const executablePath = join(targetDir, 'chromium');
  if (existsSync(executablePath)) return { kind: 'ready', executablePath, isNew: false };
  const workDir = `${targetDir}.${process.pid}.new`;
  await mkdir(join(workDir, 'lib'), { recursive: true, mode: 0o755 });
  try {
    await Promise.all([unpackBinary(packageDir, workDir), unpackLibraries(packageDir, workDir)]);
    await moveIntoPlace(workDir, targetDir);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
  return { kind: 'ready', executablePath, isNew: true };
}

async function unpackBinary(packageDir: string, workDir: string): Promise<void> {
  await pipeline(
    createReadStream(join(packageDir, 'bin/chromium.br'), { highWaterMark: CHUNK_BYTES }),
    createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
    createWriteStream(join(workDir, 'chromium'), { mode: 0o755, highWaterMark: CHUNK_BYTES }),
  );
}

/** The shared libraries (nss, nspr, expat) that a bare machine lacks. */
async function unpackLibraries(packageDir: string, workDir: string): Promise<void> {
  const archive = brotliDecompressSync(await readFile(join(packageDir, 'bin/al2023.tar.br')), {
    maxOutputLength: LIBRARY_BYTES_MAX,
  });
  for (const { name, body } of tarFiles(archive)) {
    const file = /^(?:\.\/)?lib\/([\w.+-]+)$/.exec(name)?.[1];
    if (file !== undefined) await writeFile(join(workDir, 'lib', file), body, { mode: 0o755 });
  }
}
