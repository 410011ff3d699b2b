// Emails made from sources by the programs of their project: what the commands say of them stands at the lines of the
// source. The project is one that React Email's own starter makes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startProgram } from '../../../../test/harness/program.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const PACKAGES = join(ROOT, '.runtime/test-packages-sources/node_modules');
const missing = existsSync(PACKAGES) ? false : 'the packages of test/sources are not installed';
const ENV = { GALLEY_OPTIONAL_ENGINES: 'off', GALLEY_BROWSERS: '1' };

let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'galley-sources-'));
  await cp(join(ROOT, 'test/fixtures/react-email-starter'), join(dir, 'starter'), { recursive: true });
  await mkdir(join(dir, 'bare'));
  if (missing) return;
  await symlink(PACKAGES, join(dir, 'starter/node_modules'));
  await mkdir(join(dir, 'templates'));
  await writeFile(join(dir, 'templates/package.json'), '{}');
  await symlink(PACKAGES, join(dir, 'templates/node_modules'));
});
after(() => rm(dir, { recursive: true, force: true }));

async function put(name: string, text: string): Promise<string> {
  await mkdir(dirname(join(dir, name)), { recursive: true });
  await writeFile(join(dir, name), text);
  return name;
}

const galley = (...args: string[]): ReturnType<typeof galleyIn> => galleyIn('.', args);

async function galleyIn(
  folder: string,
  args: readonly string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const words = [process.execPath, join(ROOT, 'bin/galley.mjs'), ...args];
  const program = startProgram(words, { cwd: join(dir, folder), env: ENV });
  const { code } = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

/** `rule file:line`, of every place of every finding that has one. */
async function placesIn(email: string, ...more: string[]): Promise<string[]> {
  const { stdout, stderr } = await galley('check', email, '--checks', 'code,links', '--format', 'json', ...more);
  assert.notEqual(stdout, '', stderr);
  const { emails } = JSON.parse(stdout);
  return emails
    .flatMap(({ checks }: any) => checks.flatMap(({ findings }: any) => findings))
    .flatMap(({ rule, where, places = where ? [where] : [] }: any) =>
      places.map(({ file, line }: any) => `${rule} ${file ?? ''}:${line ?? ''}`),
    );
}

/** The line, from 1, on which the text stands first. */
async function lineOf(name: string, text: string): Promise<number> {
  const lines = (await readFile(join(dir, name), 'utf8')).split('\n');
  const at = lines.findIndex((line) => line.includes(text));
  assert.ok(at >= 0, `${name} does not hold ${text}`);
  return at + 1;
}

describe('a component of React Email’s starter', { skip: missing, timeout: 900_000 }, () => {
  const email = 'starter/emails/stripe-welcome.tsx';

  it('has its findings at the lines of the component', async () => {
    const places = await placesIn(email);
    assert.ok(places.includes(`links/unknown :${await lineOf(email, '<Button style')}`), places.join('\n'));
    assert.ok(places.includes(`links/unknown :${await lineOf(email, '<Link style={anchor} href="https://stripe')}`));
    assert.ok(places.includes(`code/css-border-radius :${await lineOf(email, '<Button style')}`));
  });

  it('names the file of a part that the finding is in', async () => {
    await put(
      'starter/parts/footer.tsx',
      `export function Footer({ to }: { to: string }) {\n  return (\n    <p>\n      <a href={to}>Leave</a>\n    </p>\n  );\n}\n`,
    );
    const whole = await put(
      'starter/emails/parted.tsx',
      `import { Body, Html } from 'react-email';\nimport { Footer } from '../parts/footer';\n\n` +
        `export default function Parted({ to }: { to: string }) {\n  return (\n    <Html>\n      <Body>\n` +
        `        <Footer to={to} />\n      </Body>\n    </Html>\n  );\n}\n\nParted.PreviewProps = { to: '#' };\n`,
    );
    const places = await placesIn(whole);
    assert.ok(places.includes('links/target starter/parts/footer.tsx:4'), places.join('\n'));
    const { stdout } = await galley('check', whole, '--checks', 'links', '--format', 'github');
    assert.match(stdout, /^::error file=starter\/parts\/footer\.tsx,line=4,title=links\/target::/m);
    const filled = await put('props.json', JSON.stringify({ to: 'mailto:a@example.com' }));
    assert.ok(!(await placesIn(whole, '--data', filled)).some((place) => place.startsWith('links/target')));
  });

  it('is found in a folder; what is part of one, or of a page, is not', async () => {
    await put('starter/page.tsx', 'export default function Page() {\n  return <p>A page</p>;\n}\n');
    const { stdout } = await galley('check', 'starter', '--checks', 'links', '--format', 'json', '--quiet');
    assert.deepEqual(
      JSON.parse(stdout).emails.map(({ email: name }: any) => name),
      ['parted', 'stripe-welcome', 'vercel-invite-user'].map((name) => `starter/emails/${name}.tsx`),
    );
  });

  it('that does not compile, throws, or exports none is 2 with the place', async () => {
    const cases: [string, RegExp][] = [
      ['export default () => <p>', /^starter\/emails\/broken\.tsx: emails\/broken\.tsx:1:\d+: /],
      [
        'const parts: string[] = [];\nexport default function Broken() {\n  return <p>{parts[0]!.length}</p>;\n}',
        /^starter\/emails\/broken\.tsx: Cannot read properties of undefined \(reading 'length'\)/,
      ],
      ['export const Broken = () => <p>Hi</p>;', /^starter\/emails\/broken\.tsx exports no component by default;/],
      [`throw new Error('exports is not defined');`, /^starter\/emails\/broken\.tsx: exports is not defined/],
      ['export default () => process.exit(3);', /project's process ended with exit code 3 while it was made/],
    ];
    for (const [text, said] of cases) {
      const { code, stdout, stderr } = await galley('check', await put('starter/emails/broken.tsx', text));
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, said);
    }
    await rm(join(dir, 'starter/emails/broken.tsx'));
  });

  it('may print: the report stays whole', async () => {
    const loud = await put(
      'starter/emails/loud.tsx',
      `import { Html } from 'react-email';\nexport default function Loud() {\n  console.log('printed');\n` +
        `  return <Html><a href="#">x</a></Html>;\n}\n`,
    );
    const { stdout, stderr } = await galley('check', loud, '--checks', 'links', '--format', 'json');
    assert.equal(JSON.parse(stdout).emails.length, 1);
    assert.match(stderr, /^printed$/m);
    await rm(join(dir, loud));
  });
});

const MAIZZLE = join(ROOT, '.runtime/test-packages-maizzle/node_modules');
const noMaizzle = existsSync(MAIZZLE) ? false : 'Maizzle is not installed (node scripts/tool.mjs --with maizzle)';

describe('a project of Maizzle', { skip: noMaizzle, timeout: 900_000 }, () => {
  before(async () => {
    await cp(join(ROOT, 'test/fixtures/maizzle-project'), join(dir, 'maizzle'), { recursive: true });
    await symlink(MAIZZLE, join(dir, 'maizzle/node_modules'));
  });

  it('has its emails in a folder, components aside, with findings at the lines of the template', async () => {
    const { stdout, stderr } = await galley('check', 'maizzle', '--checks', 'links', '--format', 'json');
    const { emails } = JSON.parse(stdout || stderr);
    assert.deepEqual(
      emails.map(({ email }: any) => email),
      ['maizzle/emails/roses.vue'],
    );
    const places = await placesIn('maizzle/emails/roses.vue');
    assert.ok(
      places.includes(`links/target :${await lineOf('maizzle/emails/roses.vue', '<a href="#">')}`),
      `${places}`,
    );
  });

  it('takes data as props, by its configuration', async () => {
    const data = await put('maizzle/emails/roses.data.json', '{"name":"Ann"}');
    const { stdout } = await galley(
      'preview',
      'maizzle/emails/roses.vue',
      '--clients',
      'gmail_chrome',
      '--json',
      '--out',
      'out',
    );
    assert.equal(JSON.parse(stdout).subject, 'The roses are in flower');
    await rm(join(dir, data));
  });
});

describe('a template', { timeout: 900_000 }, () => {
  it('of Handlebars is filled with the data beside it and its partials', async () => {
    await put('bare/partials/foot.hbs', '<p><a href="#">{{leave}}</a></p>\n');
    await put('bare/mail.data.json', JSON.stringify({ name: 'Ann', items: ['#one', '#'], leave: 'Leave' }));
    const mail = await put(
      'bare/mail.hbs',
      '<!doctype html>\n<html lang="en"><body>\n<p>Hello {{name}}</p>\n{{#each items}}\n<a href="{{this}}">x</a>\n' +
        '{{/each}}\n{{> foot}}\n</body></html>\n',
    );
    const places = await placesIn(mail);
    assert.ok(places.includes('links/target :5'), places.join('\n'));
    const { stdout } = await galley('preview', mail, '--clients', 'gmail_chrome', '--json', '--out', 'out');
    assert.equal(JSON.parse(stdout).clients.length, 1);
    // Partials are no emails.
    const { stdout: all } = await galley('check', 'bare', '--checks', 'links', '--format', 'json');
    assert.deepEqual(
      JSON.parse(all).emails.map(({ email }: any) => email),
      ['bare/mail.hbs'],
    );
  });

  it('of MJML is compiled; a fault in it is 2, with its line', async () => {
    const text =
      '<mjml>\n<mj-body>\n<mj-section>\n<mj-column>\n<mj-text css-class="own">\n<a href="#">x</a>\n</mj-text>\n' +
      '<mj-button href="#">Go</mj-button>\n</mj-column>\n</mj-section>\n</mj-body>\n</mjml>\n';
    const places = await placesIn(await put('bare/mail.mjml', text));
    assert.ok(places.includes('links/target :6') && places.includes('links/target :8'), places.join('\n'));
    const odd = await put('bare/odd.mjml', text.replace('css-class="own"', 'tint="red"'));
    assert.match((await galley('check', odd, '--checks', 'links')).stderr, /^bare\/odd\.mjml: line 5: .*tint/m);
    await rm(join(dir, odd));
    const broken = await put('bare/broken.mjml', '<mjml>\n<mj-body>\n<mj-section>\n</mj-body>\n</mjml>\n');
    const { code, stderr } = await galley('check', broken);
    assert.equal(code, 2);
    assert.match(stderr, /^bare\/broken\.mjml: line \d+: /);
    await rm(join(dir, broken));
  });

  it('of Liquid or Nunjucks needs its project’s package, and says which', async () => {
    for (const [name, said] of [
      [
        'mail.liquid',
        /^bare\/mail\.liquid is Liquid, and its project has no liquidjs: `npm install liquidjs` brings it\.\n$/,
      ],
      ['mail.njk', /^bare\/mail\.njk is Nunjucks, and its project has no nunjucks: /],
    ] as const) {
      const { code, stderr } = await galley('check', await put(`bare/${name}`, '<html></html>'));
      assert.equal(code, 2);
      assert.match(stderr, said);
      await rm(join(dir, 'bare', name));
    }
  });

  it('of Liquid, Nunjucks and MJML with the packages of its project', { skip: missing }, async () => {
    const loop = (of: string): string =>
      `<!doctype html>\n<html lang="en"><body>\n{% for one in items %}\n<a href="{{ one }}">${of}</a>\n{% endfor %}\n</body></html>\n`;
    const data = await put('items.json', JSON.stringify({ items: ['#'] }));
    for (const name of ['mail.liquid', 'mail.njk'])
      assert.ok(
        (await placesIn(await put(`templates/${name}`, loop(name)), '--data', data)).includes('links/target :4'),
      );
    await put('templates/foot.mjml', '<mj-text><a href="#">Leave</a></mj-text>\n');
    const whole = await put(
      'templates/whole.mjml',
      '<mjml>\n<mj-body>\n<mj-section><mj-column>\n<mj-include path="./foot.mjml" />\n</mj-column></mj-section>\n</mj-body>\n</mjml>\n',
    );
    const places = await placesIn(whole);
    assert.ok(
      places.some((place) => place.startsWith('links/target')),
      places.join('\n'),
    );
  });

  it('is checked with --changed where a part of it was', async () => {
    const git = (...args: string[]): void => {
      const ran = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: join(dir, 'repo') });
      assert.equal(ran.status, 0, String(ran.stderr));
    };
    const page = '<html lang="en"><body>{{> foot}}</body></html>';
    for (const name of ['one/mail.hbs', 'two/mail.hbs']) await put(`repo/${name}`, page);
    for (const name of ['one/package.json', 'two/package.json']) await put(`repo/${name}`, '{}');
    for (const name of ['one/foot.hbs', 'two/foot.hbs']) await put(`repo/${name}`, '<p>Foot</p>');
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-qm', 'one');
    await put('repo/two/foot.hbs', '<p>Another foot</p>');
    const args = ['check', '.', '--checks', 'links', '--format', 'json', '--changed', 'main'];
    const { stdout, stderr } = await galleyIn('repo', args);
    assert.deepEqual(
      JSON.parse(stdout).emails.map(({ email }: any) => email),
      ['two/mail.hbs'],
      stderr,
    );
  });

  it('is taken as it is where --type says html, and is not repaired in place', async () => {
    const mail = await put('bare/raw.hbs', '<html><body><p>{{name}}</p></body></html>');
    assert.equal((await galley('check', mail, '--type', 'html', '--checks', 'links', '--quiet')).code, 0);
    const { code, stderr } = await galley('check', mail, '--fix');
    assert.deepEqual([code, stderr], [2, '--fix writes HTML files; bare/raw.hbs is none.\n']);
    // In a folder it is left alone, and the HTML files are repaired.
    await put('fixed/raw.hbs', '<html><body><p>{{name}}</p></body></html>');
    const page = await put('fixed/page.html', '<html><body><img src="https://a.example/a.png"><p>Hi</p></body></html>');
    const repaired = await galley('check', 'fixed', '--fix', '--checks', 'code');
    assert.match(repaired.stderr, /^fixed\/page\.html was changed in \d+ places/m);
    assert.match(await readFile(join(dir, page), 'utf8'), /<html lang=|dir=/);
  });
});
