// Handlebars tags in MJML: each is a word while it is compiled, so that no parser on the way reads into it.

export interface Variables {
  /** The source with a word in place of each tag. */
  text: string;
  /** What a word stands for. */
  tags: readonly string[];
  /** Finds the words; the number of the tag is the first group. */
  pattern: RegExp;
  /** The tags back in place of their words, also of those in a comment of their own. */
  restore(text: string): string;
}

const TAG = /\{\{!--[\s\S]*?--~?\}\}|\{\{\{[\s\S]*?\}\}\}|\{\{[\s\S]*?\}\}/g;

/** Opens, divides or closes a block, or says nothing: such a tag may stand between elements. */
export const isBlockTag = (tag: string): boolean => /^\{\{~?\s*(?:[#/^!]|else\b)/.test(tag);

/** Takes the tags of a template out; lines stay lines. */
export function takeVariables(source: string): Variables {
  let name = 'mjmltag';
  // A source that has the word itself gets another one.
  while (source.includes(name)) name += 'q';
  const tags: string[] = [];
  const text = source.replaceAll(TAG, (tag) => {
    tags.push(tag);
    return `${name}${tags.length - 1}z${'\n'.repeat(tag.split('\n').length - 1)}`;
  });
  const word = `${name}(\\d+)z\\n*`;
  const find = new RegExp(`<!--${word}-->|${word}`, 'g');
  return {
    text,
    tags,
    pattern: new RegExp(`${name}(\\d+)z`, 'g'),
    restore: (compiled) =>
      compiled.replaceAll(find, (_, alone?: string, inText?: string) => tags[Number(alone ?? inText)] ?? ''),
  };
}
