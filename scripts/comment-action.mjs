// The step of action.yml that puts the report on the pull request: one comment, which every run writes anew. Nothing
// that goes wrong here changes the verdict: it is a warning in the log.
import { readFileSync } from 'node:fs';

/** How the comment is found again; a comment of somebody else that holds it is left alone. */
const MARK = '<!-- galley check -->';
const AUTHOR = 'github-actions[bot]';
const PAGES_MAX = 30;
const PER_PAGE = 100;
const REQUEST_MS = 30_000;

const { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_EVENT_PATH, INPUT_TOKEN, PICTURES_URL } = process.env;

async function call(method, path, body) {
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${INPUT_TOKEN}`,
      'x-github-api-version': '2022-11-28',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  const hint = response.status === 403 ? ' The job needs the permission pull-requests: write.' : '';
  throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 300)}${hint}`);
}

/** The comment of an earlier run. */
async function findOwn(issue) {
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const comments = await call('GET', `issues/${issue}/comments?per_page=${PER_PAGE}&page=${page}`);
    const own = comments.find(({ user, body }) => user?.login === AUTHOR && body?.startsWith(MARK));
    if (own || comments.length < PER_PAGE) return own;
  }
  return undefined;
}

async function comment(report) {
  const issue = JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8')).pull_request?.number;
  if (issue === undefined) return console.log('This run belongs to no pull request: there is nothing to comment on.');
  // The address of an artifact, which GitHub itself gives.
  const pictures = PICTURES_URL
    ? `\n[Pictures that differ](${PICTURES_URL}) are kept with the run, each with what is different. Where they are as ` +
      'they should be, `galley check` with `--approve` writes them into the folder of approved pictures, to be committed.\n'
    : '';
  const body = `${MARK}\n${readFileSync(report, 'utf8')}${pictures}`;
  const own = await findOwn(issue);
  if (own) await call('PATCH', `issues/comments/${own.id}`, { body });
  else await call('POST', `issues/${issue}/comments`, { body });
}

try {
  await comment(process.argv[2]);
} catch (error) {
  const text = String(error.message).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  console.log(`::warning title=Galley could not comment::${text}`);
}
