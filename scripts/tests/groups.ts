// Which test files share a process, where one runs after the other: what they import and compile is half of the
// processor time of most.
import { readFileSync } from 'node:fs';

/** A process's worth: the files that it runs one after the other. */
export type Group = readonly string[];

// Whole programs, browsers and what changes the machine stay alone; features and engines are called in the process.
const SHARE = ['src/features/', 'src/engines/'];
// A file that changes its process would change it for those after it.
const CHANGES_PROCESS = /process\.env(\.\w+|\[[^\]]+\]) \??\??=[^=]|mock\.(timers|module)|process\.(chdir|umask)\(/;
const FILES_MAX = 6;
/** Longer ones gain little, and would make the others of their process wait. */
const ALONE_FROM_MS = 60_000;
/** So many processes there are at least for each processor, or one waits at the end for the last. */
const GROUPS_EACH_MIN = 6;

/**
 * Files in groups, in their order. Few files are not grouped: they are run to be seen apart.
 * @param expectedMs how long a file takes
 */
export function groupFiles(
  files: readonly string[],
  { processors, expectedMs }: { processors: number; expectedMs: (file: string) => number },
): Group[] {
  const each = Math.min(FILES_MAX, Math.floor(files.length / (GROUPS_EACH_MIN * processors)));
  const placeOf = (file: string): string | undefined => SHARE.find((place) => file.startsWith(place));
  const shares = (file: string): boolean =>
    placeOf(file) !== undefined &&
    expectedMs(file) < ALONE_FROM_MS &&
    !CHANGES_PROCESS.test(readFileSync(file, 'utf8'));
  const groups: string[][] = [];
  const open = new Map<string, string[]>();
  for (const file of files) {
    const place = each > 1 && shares(file) ? placeOf(file) : undefined;
    const group = place === undefined ? undefined : open.get(place);
    if (group && group.length < each) group.push(file);
    else {
      const made = [file];
      groups.push(made);
      if (place !== undefined) open.set(place, made);
    }
  }
  return groups;
}
