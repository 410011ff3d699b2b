// What sources of emails are written in, by the ending of their name.
import { extname } from 'node:path';
import type { MessageKind } from '../message-file.ts';

export type SourceKind = 'component' | 'maizzle' | 'mjml' | 'handlebars' | 'liquid' | 'nunjucks';

const BY_ENDING: Readonly<Record<string, SourceKind>> = {
  '.tsx': 'component',
  '.jsx': 'component',
  '.vue': 'maizzle',
  '.mjml': 'mjml',
  '.hbs': 'handlebars',
  '.handlebars': 'handlebars',
  '.liquid': 'liquid',
  '.njk': 'nunjucks',
  '.nunjucks': 'nunjucks',
};

/** Undefined: by its name it is no source. */
export function kindOfSource(path: string): SourceKind | undefined {
  const ending = extname(path).toLowerCase();
  return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
}

export const isSource = (path: string): boolean => kindOfSource(path) !== undefined;

/** Whether the file is made into an email before anything else is done with it: not where it is said what it is. */
export const isMade = (path: string, type: MessageKind | undefined): boolean => type === undefined && isSource(path);
