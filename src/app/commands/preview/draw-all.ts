// Draws a message as each client shows it: the first screens of all clients before the rest of any long picture.
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '../../../engines/findings/index.ts';
import { judgePicture } from '../../../engines/picture-faults/index.ts';
import { rendersOfMessage, type Rendering } from '../../../platform/browser/index.ts';
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { fidelityWith } from '../../../features/proof/preview-clients/index.ts';
import { inPane, profileOf, shotRequest, type prepareMessage } from '../../../features/proof/previews/index.ts';

/** A screenshot of a client. */
interface Wanted {
  clientId: string;
  shot: string;
}

/** A picture on disk. */
export interface Drawn extends Wanted {
  /** Its name in the folder. */
  file: string;
  rendering: Pick<Rendering, 'width' | 'height' | 'isCut' | 'isWhole'>;
  engine: string;
  fidelity: string;
  notes: string[];
  /** Faults that the picture shows, and whether all of it was looked at; absent while it is a first screen. */
  findings?: Finding[];
  isMeasured?: boolean;
}

interface Work {
  wanted: readonly Wanted[];
  prepared: Awaited<ReturnType<typeof prepareMessage>>;
  /** CSS pixels of the reading pane; null: what the catalog says. */
  paneWidth: number | null;
  /** The folder that the pictures are written to. */
  out: string;
  /** Called for each screenshot that is whole, or failed. */
  tick: () => void;
  /** Writes the contact sheet of what is there. */
  writeSheet: (drawn: readonly Drawn[]) => Promise<void>;
  /** No further picture is begun once it is aborted. */
  signal?: AbortSignal;
}

export interface Outcome {
  /** In the order of what was wanted. */
  made: Drawn[];
  failed: (Wanted & { reason: string })[];
  /** How many pictures differ. */
  distinct: number;
}

type ShotRequest = Awaited<ReturnType<typeof shotRequest>>;
type Extent = 'whole' | 'first_screen';

/** A render is bounded by what it takes itself; how long it waits for its turn is nobody's fault. */
const NEVER = new AbortController().signal;
const SHEET_MS = 500;

/** Writes a file that others may be reading: they see the old one or the new one. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${path}.part`, content);
  await rename(`${path}.part`, path);
}

/** The sheet, written again at most twice a second. */
function sheetWriter(write: () => Promise<void>): { touch: () => Promise<void>; now: () => Promise<void> } {
  let writtenAt = 0;
  let last: Promise<void> = Promise.resolve();
  const now = (): Promise<void> => {
    writtenAt = performance.now();
    last = last.then(write);
    return last;
  };
  return { now, touch: async () => (performance.now() - writtenAt < SHEET_MS ? undefined : now()) };
}

function nameOf({ clientId, shot }: Wanted): string {
  return shot === 'default' ? clientId : `${clientId}.${shot}`;
}

/** What is told of a picture beside its size. */
function factsOf({ clientId }: Wanted, { notes, facts }: ShotRequest, { engine, layout, isWhole }: Rendering) {
  return {
    engine: engine.version,
    fidelity: fidelityWith(profileOf(clientId), engine.name),
    notes,
    ...(isWhole && { findings: judgePicture({ ...facts, layout }), isMeasured: layout?.isComplete === true }),
  };
}

/**
 * Makes every picture, as many at once as there are browsers; equal ones are made once. Long pictures come in two
 * steps: `<client>.first-screen.png` while first screens of others are still being made, then
 * `<client>.png` in its place.
 */
export async function drawAll(doors: Pick<Outside, 'browser' | 'config'>, work: Work): Promise<Outcome> {
  const { wanted, prepared, paneWidth, out, tick } = work;
  const raw = await prepared.raw();
  const render = rendersOfMessage(doors.browser);
  const renderings: Record<Extent, Map<string, Promise<Rendering>>> = { first_screen: new Map(), whole: new Map() };
  const planned = new Map<Wanted, ShotRequest>();
  const drawn = new Map<Wanted, Drawn>();
  const failed: Outcome['failed'] = [];
  const made = (): Drawn[] => wanted.flatMap((one) => drawn.get(one) ?? []);
  const sheet = sheetWriter(() => work.writeSheet(made()));

  const requestOf = async (one: Wanted): Promise<ShotRequest> => {
    const profile = inPane(profileOf(one.clientId), paneWidth);
    const ofThunderbird = profile.engine === 'thunderbird' ? raw : undefined;
    return shotRequest(doors, { scope: 'cli', prepared, profile, shot: one.shot, raw: ofThunderbird });
  };
  const renderOnce = ({ key, engine, request }: ShotRequest, extent: Extent): Promise<Rendering> => {
    const rendering = renderings[extent].get(key) ?? render(engine, { ...request, extent }, NEVER);
    renderings[extent].set(key, rendering);
    return rendering;
  };
  const draw = async (one: Wanted, extent: Extent): Promise<void> => {
    const plan = planned.get(one) ?? (await requestOf(one));
    planned.set(one, plan);
    const before = drawn.get(one);
    try {
      const rendering = await renderOnce(plan, extent);
      const file = `${nameOf(one)}${rendering.isWhole ? '' : '.first-screen'}.png`;
      await replaceFile(join(out, file), rendering.png);
      drawn.set(one, { ...one, file, rendering, ...factsOf(one, plan, rendering) });
      if (rendering.isWhole) tick();
    } catch (error) {
      drawn.delete(one);
      failed.push({ ...one, reason: messageOf(error) });
      tick();
    }
    await sheet.touch();
    if (before) await rm(join(out, before.file), { force: true });
  };
  const drawEach = async (list: readonly Wanted[], extent: Extent): Promise<void> => {
    const queue = [...list];
    const lane = async (): Promise<void> => {
      for (let next = queue.shift(); next && !work.signal?.aborted; next = queue.shift()) await draw(next, extent);
    };
    await Promise.all(Array.from({ length: doors.config.render.browsers }, lane));
    await sheet.now();
  };

  await drawEach(wanted, 'first_screen');
  const long = wanted.filter((one) => drawn.get(one)?.rendering.isWhole === false);
  if (long.length > 0) await drawEach(long, 'whole');
  return { made: made(), failed, distinct: renderings.first_screen.size };
}
