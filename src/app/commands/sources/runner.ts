// The process that makes emails from sources, in the folder of the project that they belong to, with the project's own
// programs. It runs the project's code, as building the project does.
import { enableCompileCache } from 'node:module';
import { extname, join } from 'node:path';
import { messageOf } from '../../../platform/errors/index.ts';
import { RUNTIME_DIR } from '../../../platform/parts/places.ts';
import { makeFromComponent } from './make-from-component.ts';
import { makeFromMaizzle } from './make-from-maizzle.ts';
import { makeFromMjml, makeFromTemplate, type Made } from './make-from-template.ts';
import type { MakeAnswer, MakeOrder } from './wire.ts';

enableCompileCache(join(RUNTIME_DIR, 'compile-cache'));

const MAKERS: Record<string, (path: string, data: Record<string, unknown>) => Promise<Made>> = {
  '.tsx': makeFromComponent,
  '.jsx': makeFromComponent,
  '.mjml': makeFromMjml,
  '.vue': makeFromMaizzle,
  '.hbs': makeFromTemplate,
  '.handlebars': makeFromTemplate,
  '.liquid': makeFromTemplate,
  '.njk': makeFromTemplate,
  '.nunjucks': makeFromTemplate,
};

async function make({ id, path, data }: MakeOrder): Promise<MakeAnswer> {
  try {
    return { id, ok: true, ...(await MAKERS[extname(path).toLowerCase()]!(path, data)) };
  } catch (error) {
    return { id, ok: false, reason: messageOf(error) };
  }
}

process.on('message', (order: MakeOrder) => {
  void make(order).then((answer) => process.send!(answer));
});
// Without the command that asks there is nothing left to do.
process.on('disconnect', () => process.exit(0));
