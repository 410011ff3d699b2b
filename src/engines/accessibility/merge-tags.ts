// Words that a sending program fills in later.
import { mergeTagIn } from '../hygiene/index.ts';

/**
 * The beginnings of common ones suffice here: Handlebars, Liquid and Jinja, Mailchimp, ERB and EJS, Salesforce, Eloqua,
 * Freemarker.
 */
const MERGE_TAG = /\{\{|\{%|\*\||<%|%%|\$\{|\[%|~~eloqua|@\{|&lt;%/i;

/** Whether a value is not known before the message is sent. */
export function hasMergeTag(value: string): boolean {
  return MERGE_TAG.test(value) || mergeTagIn(value) !== undefined;
}
