// The tests of several files in one process: `TEST_GROUP` names them, one a line. Each file is a suite, so its hooks are
// its own, and what one file starts is closed before the next begins.
import { describe } from 'node:test';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// A suite hands its limit to its tests. That of a whole file must be none; the runner's silence ends what hangs.
const UNLIMITED_MS = 2 ** 31 - 1;

for (const file of process.env['TEST_GROUP']!.split('\n'))
  describe(file, { timeout: UNLIMITED_MS }, async () => {
    await import(pathToFileURL(resolve(file)).href);
  });
