// Webmail and apps that show a message inside their own page without further habits of their own.

import type { Plugin } from '../working-document.ts';
import {
  renameInSelectors,
  renameNames,
  scopeSelectors,
  unmatchBody,
  useClientDoctype,
  wrapBody,
} from './message-scope.ts';

/** The body becomes a div with its attributes (caniemail html-body#1). */
export const bodyToDivPlugin: Plugin = (doc) => {
  unmatchBody(doc);
  scopeSelectors(doc, { class: 'message-7301' });
  wrapBody(doc, [{ class: 'message-7301' }], 'div');
  useClientDoctype(doc);
};

/** The body goes, with what it said about colors and margins (caniemail html-body, "not supported"). */
export const bodyRemovedPlugin: Plugin = (doc) => {
  unmatchBody(doc);
  scopeSelectors(doc, { class: 'message-7301' });
  wrapBody(doc, [{ class: 'message-7301' }], 'nothing');
  useClientDoctype(doc);
};

/** Proton Mail: selectors stay as they are, and `#proton-root .x` in them finds the client. */
export const protonPlugin: Plugin = (doc) => {
  unmatchBody(doc);
  wrapBody(doc, [{ id: 'proton-root' }], 'nothing');
  useClientDoctype(doc);
};

/** Free (Roundcube's sanitizer): names are prefixed with `v1` unless they begin so. */
export const freeFrPlugin: Plugin = (doc) => {
  renameNames(doc.body, (name) => `v1${name}`);
  renameInSelectors(doc, (name) => (name.startsWith('v1') ? name : `v1${name}`));
  unmatchBody(doc);
  wrapBody(doc, [{ class: 'rcmBody' }], 'div');
  useClientDoctype(doc);
};
