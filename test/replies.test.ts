// What is stripped off replies, measured on those that other programs keep for their tests.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { stripHtml, stripText } from '../src/engines/replies/index.ts';
import pages from './fixtures/replies/pages.json' with { type: 'json' };
import texts from './fixtures/replies/texts.json' with { type: 'json' };

interface Reply {
  source: string;
  name: string;
  given: string;
  reply: string;
}

const bare = (text: string): string => text.replaceAll(/\s/g, '');

/** What is read of HTML, without spaces. */
function textOf(html: string): string {
  const nodes: Tree.Node[] = [parse(html)];
  let text = '';
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (node.nodeName === '#text') text += (node as Tree.TextNode).value;
    if (['style', 'title', 'script'].includes(node.nodeName) || !('childNodes' in node)) continue;
    nodes.push(...node.childNodes.toReversed());
  }
  return bare(text);
}

interface Found {
  /** Beside those that are named as misses. */
  right: number;
  /** More than its own is left. */
  left: string[];
  /** Some of its own is gone. */
  gone: string[];
}

/** How many are right, and which are not: of one source, and without what spaces say. */
function measure(replies: readonly Reply[], strip: (reply: Reply) => { own: string; expected: string }): Found {
  const found: Found = { right: 0, left: [], gone: [] };
  for (const reply of replies) {
    const { own, expected } = strip(reply);
    if (own === expected) found.right += 1;
    else (own.includes(expected) ? found.left : found.gone).push(reply.name);
  }
  return found;
}

const of = (replies: readonly Reply[], source: string): Reply[] => replies.filter((reply) => reply.source === source);

/** Text and signature are compared together where the source takes only quotations off. */
const stripped =
  (isWithSignature: boolean) =>
  ({ given, reply }: Reply) => {
    const { text, signature } = stripText(given);
    return { own: bare(isWithSignature ? text + signature : text), expected: bare(reply) };
  };

describe('replies in plain text', () => {
  it('of talon', () =>
    assert.deepEqual(measure(of(texts, 'talon'), stripped(true)), { right: 63, left: [], gone: [] }));

  it('of email_reply_trimmer', () =>
    assert.deepEqual(measure(of(texts, 'discourse'), stripped(false)), {
      right: 49,
      left: [
        // Lines of stars and tildes, a name without an address, an introduction with nothing above it.
        'delimiters',
        'embedded_email_11',
        'embedded_email_18',
        // What is forwarded is kept here, as talon keeps it.
        'forwarded_gmail',
        'forwarded_message',
        // Thirty lines of phones below each other: a signature has eleven at most.
        'signatures',
        // Nothing but quotations is left whole.
        'spam_1',
      ],
      gone: [
        // "Best regards" and the name below it are a signature here, and part of the reply there.
        'email_headers_5',
        'embedded_email_13',
        'embedded_email_14',
        // What is quoted above an answer is taken off here.
        'embedded_email_16',
        'embedded_email_17',
        'embedded_email_2',
        'embedded_email_7',
        'embedded_email_swedish',
      ],
    }));

  it('of email-reply-parser', () =>
    assert.deepEqual(measure(of(texts, 'crisp'), stripped(false)), {
      right: 43,
      // Footers of a list or a company below the quotation, a row of "=", text below "Sent from my …".
      left: ['email_1', 'email_3', 'email_7', 'email_9', 'email_15'],
      gone: [],
    }));
});

describe('replies in HTML', () => {
  const strip = ({ given, reply }: Reply) => ({ own: textOf(stripHtml(given)), expected: textOf(reply) });

  it('of talon', () =>
    assert.deepEqual(measure(of(pages, 'talon'), strip), {
      right: 26,
      // A signature above a line across, and two fields of a header in one line.
      left: ['reply_separated_by_hr', 'from_block_and_quotations_in_separate_divs'],
      // A blockquote with Gmail's class and no introduction: somebody's own citation there, quoted here.
      gone: ['gmail_quote_blockquote'],
    }));

  it('of quotequail', () =>
    assert.deepEqual(measure(of(pages, 'quotequail'), strip), { right: 5, left: [], gone: [] }));
});
