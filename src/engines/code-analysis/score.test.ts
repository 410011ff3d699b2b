import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { features } from '../caniemail/index.ts';
import { aboutOf, slugsWrittenAbout } from './about.ts';
import { analyzeCode, audienceProblems, audiences, findingsOf, scoreFor, weightedClients } from './index.ts';

const only = (...clients: string[]) => ({ name: 'Test', clients: clients.map((client) => ({ client, share: 1 })) });
const score = (html: string, ...clients: string[]) => scoreFor(analyzeCode(html), only(...clients));

describe('scoreFor', () => {
  it('is 100 when nothing breaks', () => {
    assert.equal(score('<p>x</p>', 'outlook.windows', 'gmail.android').overall, 100);
    assert.equal(score('', 'outlook.windows').overall, 100);
  });

  it('adds breakages up, and does not thin them out in a long message', () => {
    const one = score('<b style="position:absolute">', 'outlook.windows').overall;
    const two = score('<b style="position:absolute;column-count:2">', 'outlook.windows').overall;
    const long = score(`<b style="position:absolute">${'<p>x</p>'.repeat(500)}`, 'outlook.windows').overall;
    assert.ok(two < one && one < 100, `${one} ${two}`);
    assert.equal(long, one);
  });

  it('does not count what was tried before the client changed, as previews do not', () => {
    const html = '<style>.a > .b{color:red}</style><p class="a"><b class="b">x</b></p>';
    const { overall, perClient } = score(html, 'protonmail.ios');
    assert.equal(overall, 100);
    assert.ok(perClient[0]?.untested.includes('css-selector-child'), perClient[0]?.untested.join());
  });

  it('counts once what has one cause', () => {
    const flex = score('<b style="display:flex">', 'outlook.windows').overall;
    const more = score('<b style="display:flex;flex-wrap:wrap;flex-direction:column">', 'outlook.windows');
    assert.equal(more.overall, flex);
    assert.deepEqual(more.perClient[0]?.breaks.filter((slug) => slug.includes('flex')).sort(), [
      'css-display-flex',
      'css-flex-direction',
      'css-flex-wrap',
    ]);
  });

  it('counts a partial support only when the message uses what is missing', () => {
    assert.equal(score('<p style="margin:1px">x</p>', 'outlook.outlook-com').overall, 100);
    assert.ok(score('<p style="margin:-1px">x</p>', 'outlook.outlook-com').overall < 100);
    const onCell = score('<table><tr><td style="padding:1px">x</table>', 'outlook.windows').overall;
    assert.ok(score('<p style="padding:1px">x</p>', 'outlook.windows').overall < onCell);
  });

  it('does not blame a client for what it does not read', () => {
    assert.equal(score('<!--[if !mso]><!--><b style="display:flex"><!--<![endif]-->', 'outlook.windows').overall, 100);
    assert.ok(score('<!--[if !mso]><!--><b style="position:fixed"><!--<![endif]-->', 'gmail.android').overall < 100);
    assert.equal(score('<!--[if mso]><b style="position:fixed"></b><![endif]-->', 'gmail.android').overall, 100);
    const inQuery = '<style>@media (max-width:1px){p{position:fixed}}</style>';
    assert.ok(!score(inQuery, 'outlook.windows').perClient[0]?.breaks.includes('css-position'));
  });

  it('knows versions', () => {
    const html = '<!--[if mso 15]><hr style="position:absolute"><![endif]-->';
    assert.ok(score(html, 'outlook.windows@2013').overall < 100);
    assert.equal(score(html, 'outlook.windows@2019').overall, 100);
  });

  it('weighs clients by their shares', () => {
    const analysis = analyzeCode('<b style="position:absolute">');
    const of = (outlook: number, apple: number) =>
      scoreFor(analysis, {
        name: 'x',
        clients: [
          { client: 'outlook.windows', share: outlook },
          { client: 'apple-mail.ios', share: apple },
        ],
      }).overall;
    const worst = of(1, 0);
    assert.equal(of(0, 1), 100);
    assert.ok(Math.abs(of(3, 1) - (0.75 * worst + 25)) < 0.1);
    assert.equal(of(30, 10), of(3, 1));
  });

  it('explains itself, and its points add up', () => {
    const result = score(
      '<style>p:hover{color:red}</style><form><input><video></video></form>' +
        '<b style="position:absolute;border-radius:1px">',
      'outlook.windows',
      'gmail.desktop-webmail',
      'yahoo.ios',
    );
    const points = result.breakages.reduce((sum, breakage) => sum + breakage.points, 0);
    assert.ok(Math.abs(points - (100 - result.overall)) < 0.3, `${points} ${result.overall}`);
    assert.match(result.explanation.join(' '), /worst in .*Outlook/);
    assert.deepEqual(
      result.breakages.map((one) => one.points),
      result.breakages.map((one) => one.points).sort((a, b) => b - a),
    );
  });

  it('names what nobody tried', () => {
    assert.deepEqual(score('<b style="cursor:pointer">', 't-online-de.desktop-webmail').perClient[0]?.untested, [
      'css-cursor',
    ]);
  });
});

describe('audiences', () => {
  it('that come with the service are sound, dated and add up to 1', () => {
    for (const audience of audiences) {
      assert.deepEqual(audienceProblems(audience.clients), [], audience.id);
      assert.match(audience.source.date, /^20\d\d-\d\d/, audience.id);
      assert.ok(audience.source.what && audience.description.length > 40, audience.id);
      const sum = weightedClients(audience).reduce((total, { share }) => total + share, 0);
      assert.ok(Math.abs(sum - 1) < 1e-9, audience.id);
    }
    assert.equal(new Set(audiences.map(({ id }) => id)).size, audiences.length);
    assert.equal(audiences.find(({ id }) => id === 'equal')?.clients.length, 48);
  });
  it("of one's own are checked", () => {
    assert.match(audienceProblems([{ client: 'gmail', share: 1 }]).join(), /family\.platform/);
    assert.match(audienceProblems([{ client: 'gmail.android', share: -1 }]).join(), /share/);
    assert.match(audienceProblems([{ client: 'gmail.android', share: 0 }]).join(), /nothing/);
    assert.match(audienceProblems([]).join(), /at least one/);
    assert.deepEqual(audienceProblems([{ client: 'samsung.android', share: 1 }]), [], 'by another name');
  });
});

describe('what is written about features', () => {
  it('covers the data, and nothing else', () => {
    const slugs = features.map(({ slug }) => slug);
    assert.deepEqual([...slugsWrittenAbout].sort(), slugs);
    for (const slug of slugs) assert.match(aboutOf(slug).description, /^[A-Z`].*\.$/, slug);
  });
  it('says what to write instead for most of what some client lacks', () => {
    const suggestions = features.map(({ slug }) => aboutOf(slug).suggestion).filter((text) => text !== undefined);
    assert.ok(suggestions.length >= 200, `${suggestions.length}`);
    for (const text of suggestions) assert.match(text, /\.$/);
  });
});

describe('findingsOf', () => {
  it('says what breaks where, for whom, and what to do', () => {
    const html = '<p>x</p>\n<div style="display:flex">x</div><div style="display:flex">y</div>';
    const [first, ...rest] = findingsOf(analyzeCode(html), {
      audience: only('outlook.windows', 'apple-mail.ios', 'gmail.ios'),
    }).filter(({ rule }) => rule === 'code/css-display-flex');
    assert.equal(rest.length, 0);
    assert.equal(first?.severity, 'error');
    assert.match(first.message, /^display:flex \(2 places\) is not supported in Outlook \(Windows\)/);
    assert.deepEqual(
      [first.where?.line, first.where?.column, first.where?.selector],
      [2, 13, 'body > div:nth-of-type(1)'],
    );
    assert.match(first.fix!, /tables/);
    assert.ok(first.clients?.includes('Outlook (Windows)') && !first.clients.includes('Apple Mail (iOS)'));
    assert.equal(
      findingsOf(analyzeCode(html), { audience: only('outlook.windows'), everyPlace: true }).filter(
        ({ rule }) => rule === 'code/css-display-flex',
      ).length,
      2,
    );
  });
  it('has nothing to say of what all support', () => {
    assert.deepEqual(findingsOf(analyzeCode('<p>x</p>')), []);
  });
});
