// The process that makes emails from sources, in the folder of the project that they belong to, with the project's own
// programs. It runs the project's code, as building the project does.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { messageOf } from '../../../platform/errors/index.ts';
import { RUNTIME_DIR } from '../../../platform/parts/places.ts';
import { makeFromComponent } from './make-from-component.ts';
import { makeFromMaizzle } from './make-from-maizzle.ts';
import { makeFromHandlebars, makeFromLiquid, makeFromMjml, makeFromNunjucks } from './make-from-template.ts';
import { kindOfSource, type SourceKind } from './source-kinds.ts';
import { Fault, Unmakeable, type MakeAnswer, type MakeOrder, type Maker } from './wire.ts';

enableCompileCache(join(RUNTIME_DIR, 'compile-cache'));

const MAKERS: Record<SourceKind, Maker> = {
  component: makeFromComponent,
  maizzle: makeFromMaizzle,
  mjml: makeFromMjml,
  handlebars: makeFromHandlebars,
  liquid: makeFromLiquid,
  nunjucks: makeFromNunjucks,
};

const filesOf = (error: unknown) => (error instanceof Fault ? { files: error.files } : {});

async function make({ path, data }: MakeOrder): Promise<MakeAnswer> {
  try {
    return { ok: true, ...(await MAKERS[kindOfSource(path)!](path, data)) };
  } catch (error) {
    return { ok: false, reason: messageOf(error), isSentence: error instanceof Unmakeable, ...filesOf(error) };
  }
}

process.on('message', (order: MakeOrder) => {
  void make(order).then((answer) => process.send!(answer));
});
// Without the command that asks there is nothing left to do.
process.on('disconnect', () => process.exit(0));
