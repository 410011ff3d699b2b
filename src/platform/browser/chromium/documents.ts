// The documents of one page, one after the other: the first is navigated to, the next ones are set into its place where
// nothing of an earlier one shows in them. That takes a third of the time.
import type { CDPSession } from 'puppeteer-core';
import type { AuditRequest } from '../axe/types.ts';
import { doctypeOf } from '../doctype.ts';
import { documentUrlOf } from '../guard/engine-proxy.ts';
import type { RenderError } from '../errors.ts';
import type { RenderRequest } from '../types.ts';
import { answer, ignoreGonePage, navigate, setContent, type Loading, type Place } from './loading.ts';
import { leave, nothingDecoded, settle, settleWithTraces, type Decoded, type Traces } from './traces.ts';

type DocumentRequest = AuditRequest | RenderRequest;

interface LoadOptions {
  /** Hears why the document can't be had, at any time until the next one is loaded. */
  fail: (error: RenderError) => void;
  /** Gives the page its size and its colors, before the document is there. */
  prepare: () => Promise<void>;
  /** The page goes to the document, whatever is there. */
  isAlone?: boolean;
}

interface Loaded {
  frameId: string;
  /** False: a photograph is scaled from a larger decoding than a fresh page has, and pixels of it may be a shade off. */
  isExact: boolean;
}

interface PageDocuments {
  /** Loads a document and brings it to rest. One at a time. Only what is asked for as a first screen may be inexact. */
  load(request: DocumentRequest, options: LoadOptions): Promise<Loaded>;
  /** Whether this document could be set into the place of the one that is there. */
  continuesWith(request: DocumentRequest): boolean;
  /** Fails what is loaded now. */
  fail(error: RenderError): void;
}

/** The document that is there, as one that another may be set in place of. */
interface Held extends Place {
  /** The frame's address. */
  url: string;
  documentUrl: string | undefined;
  assetsKey: string;
  /** The photographs that the page was given since it was navigated, and their largest decodings. */
  photographs: Set<string>;
  decoded: Decoded;
  mode: string;
  doctype: string;
}

/** Answers the requests of the page, too. */
export function documentsIn(session: CDPSession): PageDocuments {
  let current: Loading | undefined;
  let held: Held | undefined;
  let count = 0;
  session.on('Fetch.requestPaused', (event) => {
    answer(session, event, current).catch(ignoreGonePage);
  });

  const begin = (request: DocumentRequest, start: Pick<Loading, 'url' | 'photographs' | 'fail'>): Loading => {
    const { html, assets, assetsKey } = request;
    const cacheControl = assetsKey === undefined ? 'no-store' : 'max-age=3600';
    current = { ...start, html, assets, cacheControl, refusesAssets: false };
    return current;
  };
  const hold = (place: Held, traces: Traces): void => {
    place.decoded.note(traces);
    if (!traces.staysInForce) held = place;
  };
  /** Undefined: an earlier document shows in this one. */
  const setInto = async (
    place: Held,
    request: DocumentRequest,
    fail: LoadOptions['fail'],
  ): Promise<Loaded | undefined> => {
    await setContent(session, begin(request, { ...place, fail }), place);
    const traces = await settleWithTraces(session, place.photographs);
    if (traces.mode !== place.mode) return undefined;
    const isExact = !place.decoded.isLargerThan(traces);
    if (!isExact && !isFirstScreen(request)) return undefined;
    hold(place, traces);
    return { frameId: place.frameId, isExact };
  };
  const goTo = async (request: DocumentRequest, fail: LoadOptions['fail']): Promise<Loaded> => {
    const { documentUrl, assetsKey } = request;
    count += 1;
    const start = { url: documentUrlOf(documentUrl, count), photographs: new Set<string>(), fail };
    const place = await navigate(session, begin(request, start));
    if (assetsKey === undefined || isAudit(request)) await settle(session);
    else {
      const traces = await settleWithTraces(session, start.photographs);
      const doctype = doctypeOf(request.html);
      const { mode } = traces;
      hold({ ...place, ...start, documentUrl, assetsKey, mode, doctype, decoded: nothingDecoded() }, traces);
    }
    return { frameId: place.frameId, isExact: true };
  };
  return {
    fail: (error) => current?.fail(error),
    continuesWith: (request) => held !== undefined && takes(held, request),
    async load(request, { fail, prepare, isAlone = false }) {
      const place = held;
      held = undefined; // whatever fails from here on leaves nothing to build on
      if (isAlone || place === undefined || !takes(place, request)) {
        await prepare();
        return goTo(request, fail);
      }
      await Promise.all([leave(session), prepare()]);
      return (await setInto(place, request, fail)) ?? goTo(request, fail);
    },
  };
}

function takes(place: Held, request: DocumentRequest): boolean {
  return (
    !isAudit(request) &&
    request.documentUrl === place.documentUrl &&
    request.assetsKey === place.assetsKey &&
    doctypeOf(request.html) === place.doctype
  );
}

/** The rules run scripts of their own. */
function isAudit(request: DocumentRequest): request is AuditRequest {
  return 'rules' in request;
}

/** It is replaced by the whole picture, and a photograph that is a shade off does no harm in it, unless it is whole. */
function isFirstScreen(request: DocumentRequest): boolean {
  return !isAudit(request) && request.extent === 'first_screen';
}
