import { mailDate } from '../../../platform/times/index.ts';
import type { Template, Version } from './store.ts';

/** A version as lists have it: without its texts. */
export function shortView({ tag, comment, isActive, createdAt, id }: Version) {
  return { tag, engine: 'handlebars', mjml: '', createdAt: mailDate(createdAt), comment, active: isActive, id };
}

export function versionView(version: Version) {
  return { ...shortView(version), mjml: version.mjml, template: version.template, headers: { ...version.headers } };
}

/** The template, with a version where one is shown. */
export function templateView({ name, description, createdAt, createdBy, id }: Template, version?: Version) {
  const view = { name, description, createdAt: mailDate(createdAt), createdBy, id };
  return version ? { ...view, version: versionView(version) } : view;
}
