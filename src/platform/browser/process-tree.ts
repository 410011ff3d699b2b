// What a process and its children use, from Linux's /proc. Elsewhere the answers are undefined.
import { readdir, readFile } from 'node:fs/promises';

/** Reads a /proc file; a process that ended meanwhile reads as empty. */
async function readProc(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return '';
    throw error;
  }
}

/** The process and all its living descendants, parents first. */
export async function processTree(pid: number): Promise<number[]> {
  if (process.platform !== 'linux') return [pid];
  const children = new Map<number, number[]>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // `pid (any name) state ppid …`: the name may hold spaces and brackets, so the fields start after the last one.
    const stat = await readProc(`/proc/${name}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (Number.isInteger(parent)) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [pid];
  for (let index = 0; index < tree.length; index += 1) tree.push(...(children.get(tree[index]!) ?? []));
  return tree;
}

/** Proportional resident bytes of a process tree (shared pages are counted once), or undefined where unknown. */
export async function memoryOfTree(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const sizes = await Promise.all((await processTree(pid)).map(async (member) => {
    const rollup = await readProc(`/proc/${member}/smaps_rollup`);
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024;
  }));
  return sizes.reduce((sum, size) => sum + size, 0);
}
