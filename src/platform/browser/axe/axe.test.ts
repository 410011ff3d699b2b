import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditRequest, AuditResult } from './types.ts';
import { RenderError } from '../errors.ts';
import { effortBounds } from '../guard/render-bounds.ts';
import { createRenderPool, type RenderPool } from '../pool.ts';
import { SHADOWING_HTML } from '../property-names.fixture.ts';
import { chromiumsHere, imageAsset, NEVER, requestOf, starterFor } from '../../../../test/harness/browsers.ts';

const RULES = ['image-alt', 'color-contrast', 'link-name', 'document-title', 'heading-order', 'list', 'target-size'];

function auditOf(html: string, changes: Partial<AuditRequest> = {}): AuditRequest {
  return { ...requestOf(html), rules: RULES, ...changes };
}

const idsOf = (rules: AuditResult['failures']): string[] => rules.map(({ id }) => id).sort();

for (const install of await chromiumsHere()) {
  describe(`an audit in ${install.version} (${install.origin})`, () => {
    let pool: RenderPool;
    before(async () => {
      pool = createRenderPool({ starter: await starterFor(install), size: 1 });
    });
    after(() => pool.close());
    const audit = (html: string, changes: Partial<AuditRequest> = {}) => pool.audit(auditOf(html, changes), NEVER);

    it('tells what fails, what passes and what does not apply, of the rules asked for', async () => {
      const result = await audit(
        '<!doctype html><title>T</title><h1>One</h1><h3>Three</h3><img src="https://a.test/a.png">' +
          '<p style="color:#999">Pale',
      );
      assert.deepEqual(idsOf(result.failures), ['color-contrast', 'heading-order', 'image-alt']);
      assert.deepEqual(idsOf(result.passes), ['color-contrast', 'document-title', 'heading-order']);
      assert.deepEqual(result.inapplicable.toSorted(), ['link-name', 'list', 'target-size']);
      assert.match(result.engine, /^axe-core \d/);
      assert.equal(result.browser, install.version);
      const [contrast] = result.failures.filter(({ id }) => id === 'color-contrast');
      const [node] = contrast!.nodes;
      assert.deepEqual([contrast!.nodeCount, node!.target, node!.html], [1, 'p', '<p style="color:#999">Pale</p>']);
      assert.deepEqual(
        [node!.any[0]!.data['fgColor'], node!.any[0]!.data['bgColor'], node!.any[0]!.data['contrastRatio']],
        ['#999999', '#ffffff', 2.84],
      );
      assert.match(node!.any[0]!.message, /contrast of 2\.84/);
    });

    it('reports the mark of the nearest element that has one', async () => {
      const result = await audit(
        '<div data-n="7"><img src="https://a.test/a.png"></div><img data-n="9" src="https://a.test/a.png">' +
          '<img src="https://a.test/a.png">',
        { rules: ['image-alt'], markAttribute: 'data-n' },
      );
      assert.deepEqual(
        result.failures[0]!.nodes.map(({ mark }) => mark),
        ['7', '9', undefined],
      );
    });

    it('judges colors of the scheme that is asked for, and with the assets given', async () => {
      const html =
        '<style>p{color:#777}@media (prefers-color-scheme: dark){body{background:#000}p{color:#fff}}</style><p>Text';
      assert.deepEqual(idsOf((await audit(html, { rules: ['color-contrast'] })).failures), ['color-contrast']);
      assert.deepEqual(idsOf((await audit(html, { rules: ['color-contrast'], colorScheme: 'dark' })).passes), [
        'color-contrast',
      ]);
      const linked = '<link rel="stylesheet" href="https://a.test/s.css"><p>Text';
      const sheet = { status: 200, contentType: 'text/css', body: Buffer.from('p{color:#eee}') };
      const result = await audit(linked, { rules: ['color-contrast'], assets: async () => sheet });
      assert.deepEqual(idsOf(result.failures), ['color-contrast']);
    });

    it('runs none of the document’s scripts, and renders go on beside it', async () => {
      const html = '<body onload="document.title=1"><script>document.title="x"; window.axe = {}</script><p>Text';
      const [result, made] = await Promise.all([
        audit(html, { rules: ['document-title'] }),
        pool.render(requestOf('<p>Text'), NEVER),
      ]);
      assert.deepEqual(idsOf(result.failures), ['document-title']);
      assert.equal(made.width, 600);
    });

    it('is not stopped by elements that take the names of what it needs', async () => {
      const names = [
        'querySelectorAll',
        'querySelector',
        'documentElement',
        'body',
        'head',
        'createElement',
        'getElementById',
        'nodeType',
        'defaultView',
        'childNodes',
        'ownerDocument',
        'implementation',
        'elementsFromPoint',
        'title',
        'cookie',
        'parentNode',
        'attributes',
        'nodeName',
        'module',
        'define',
        'exports',
      ];
      const tags = ['img', 'form', 'embed', 'object', 'iframe'].flatMap((tag) =>
        names.map((name) => `<${tag} name="${name}" id="${name}"></${tag}>`),
      );
      const controls = names.map((name) => `<input name="${name}" id="${name}">`);
      const globals = ['axe', 'Promise', 'setTimeout', 'Element', 'Array', 'window', 'module', 'define', 'exports'].map(
        (id) => `<a id="${id}">x</a><form id="${id}"><input name="exports"></form>`,
      );
      const html =
        `<img src="https://a.test/a.png">${tags.join('')}<form>${controls.join('')}</form>${globals.join('')}` +
        '<p style="color:#999">Pale</p>';
      const result = await audit(html);
      assert.ok(idsOf(result.failures).includes('image-alt') && idsOf(result.failures).includes('color-contrast'));
    });

    it('is not stopped by any name that a document or a form has', async () => {
      const result = await audit(`<body>${SHADOWING_HTML}<p style="color:#999">Pale</p>`, {
        rules: ['color-contrast'],
      });
      assert.deepEqual(idsOf(result.failures), ['color-contrast']);
    });

    it('bounds what it reports', async () => {
      const result = await audit(
        `<img alt="" src="https://a.test/${'x'.repeat(9_000)}">` +
          `<img class="${'y'.repeat(9_000)}">${'<img>'.repeat(500)}`,
        { rules: ['image-alt'] },
      );
      const [rule] = result.failures;
      assert.deepEqual([rule!.nodes.length, rule!.nodeCount], [200, 501]);
      assert.ok(rule!.nodes.every(({ html, target }) => html.length <= 300 && target.length <= 500));
    });

    it('refuses a document of too many elements, and the browser is good for the next one', async () => {
      await assert.rejects(
        audit('<b></b>'.repeat(20_000)),
        (error) =>
          error instanceof RenderError && error.reason === 'load_failed' && /20003 elements/.test(error.message),
      );
      assert.deepEqual(idsOf((await audit('<img>', { rules: ['image-alt'] })).failures), ['image-alt']);
    });

    it('gives up when the caller does', async () => {
      const controller = new AbortController();
      const assets = async (): Promise<undefined> => {
        controller.abort();
      };
      const running = pool.audit(auditOf('<img src="https://a.test/a.png">', { assets }), controller.signal);
      await assert.rejects(running, (error) => error instanceof RenderError && error.reason === 'aborted');
    });

    it('is ended when it takes longer than a render may', async () => {
      const short = createRenderPool({
        starter: await starterFor(install),
        size: 1,
        limits: { auditBounds: { ...effortBounds().audit, cpuMs: 600 } },
      });
      const slow =
        `<style>${'div:has(b):has(i) > '.repeat(3)}b{color:red}</style>` +
        `${`<div style="color:#777">${'<i>text</i>'.repeat(9)}`.repeat(1_400)}`;
      await assert.rejects(
        short.audit(auditOf(slow), NEVER),
        (error) => error instanceof RenderError && error.reason === 'too_slow',
      );
      await short.close();
    });

    it('sees pictures behind text', async () => {
      const image = await imageAsset('#ffffff');
      const result = await audit('<div style="background:url(https://a.test/a.png)">Text</div>', {
        rules: ['color-contrast'],
        assets: async () => image,
      });
      assert.equal(result.incomplete[0]!.nodes[0]!.any[0]!.data['messageKey'], 'bgImage');
    });
  });
}
