// React Email and JSX Email: a component, bundled by the project's esbuild and rendered by the project's renderer.
import { Module } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { messageOf } from '../../../platform/errors/index.ts';
import { SOURCE_MARK } from '../../../engines/source/index.ts';
import { findPackage, loadPackage } from './own-packages.ts';
import { Fault, Unmakeable, type Made, type Maker } from './wire.ts';

interface EsbuildMessage {
  text: string;
  location: { file: string; line: number; column: number } | null;
}

interface EsbuildPlugin {
  name: string;
  setup(build: {
    onResolve(options: { filter: RegExp }, then: () => object): void;
    onLoad(options: { filter: RegExp; namespace: string }, then: () => object): void;
  }): void;
}

interface Esbuild {
  build(options: Record<string, unknown>): Promise<{
    outputFiles: { text: string }[];
    metafile: { inputs: Record<string, unknown> };
  }>;
}

type Component = ((props: object) => unknown) & { PreviewProps?: object; previewProps?: object };
type ComponentModule = { default?: Component; PreviewProps?: object; previewProps?: object };
type Render = (element: unknown) => string | Promise<string>;

/** Packages that bring esbuild, and those that bring the renderer. */
const WITH_ESBUILD = ['react-email', 'tsx', 'vite', 'jsx-email'];
const RENDERERS = ['@react-email/render', 'jsx-email', '@react-email/components'];
const WITH_RENDERER = ['react-email', '@react-email/components'];
const PICTURES = ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.svg'];
const RUNTIME = 'galley-marks';

/** Stands in for React's own: each element says where it was written. */
const MARKING = `
const { Fragment, jsx, jsxs } = require('react/jsx-runtime');
exports.Fragment = Fragment;
exports.jsxDEV = (type, props, key, isStatic, source) => {
  const at = globalThis.__galleyMarks && source && type !== Fragment;
  const own = at ? { ...props, '${SOURCE_MARK}': source.fileName + ':' + source.lineNumber } : props;
  return (isStatic ? jsxs : jsx)(type, own, key);
};`;

const marking = (path: string): EsbuildPlugin => ({
  name: RUNTIME,
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${RUNTIME}/`) }, () => ({ path: 'jsx', namespace: RUNTIME }));
    build.onLoad({ filter: /.*/, namespace: RUNTIME }, () => ({ contents: MARKING, resolveDir: dirname(path) }));
  },
});

function faultOf({ text, location }: EsbuildMessage): string {
  return location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text;
}

async function bundle(esbuild: Esbuild, path: string): Promise<{ code: string; files: string[] }> {
  try {
    const { outputFiles, metafile } = await esbuild.build({
      entryPoints: [path],
      bundle: true,
      write: false,
      platform: 'node',
      format: 'cjs',
      packages: 'external',
      jsx: 'automatic',
      jsxDev: true,
      jsxImportSource: RUNTIME,
      sourcemap: 'inline',
      metafile: true,
      logLevel: 'silent',
      loader: Object.fromEntries(PICTURES.map((ending) => [ending, 'dataurl'])),
      plugins: [marking(path)],
    });
    const files = Object.keys(metafile.inputs).filter((file) => !file.startsWith(`${RUNTIME}:`));
    return { code: outputFiles[0]!.text, files: files.map((file) => resolve(file)) };
  } catch (error) {
    const { errors = [] } = error as { errors?: EsbuildMessage[] };
    if (errors.length === 0) throw error;
    const files = errors.flatMap(({ location }) => (location ? [resolve(location.file)] : []));
    throw new Fault(errors.slice(0, 5).map(faultOf).join('\n'), files, error);
  }
}

/** Runs the bundle as if it were the file: what it imports is found from there. */
function run(code: string, path: string): ComponentModule {
  const own = new Module(path) as Module & { _compile(code: string, path: string): void };
  own.filename = path;
  own.paths = (Module as unknown as { _nodeModulePaths(folder: string): string[] })._nodeModulePaths(dirname(path));
  own._compile(code, path);
  return own.exports as ComponentModule;
}

function rendererOf(path: string): Render {
  for (const name of RENDERERS) {
    const render = loadPackage<{ render?: Render }>(path, name, WITH_RENDERER)?.render;
    if (render) return render;
  }
  throw new Unmakeable(
    'is a component, and its project has no renderer of emails: `npm install react-email` (or jsx-email) brings one.',
  );
}

/** The HTML of the file's default export, with the props that it names for previews and the data given. */
export const makeFromComponent: Maker = async (path, data) => {
  const esbuild = loadPackage<Esbuild>(path, 'esbuild', WITH_ESBUILD);
  if (!esbuild)
    throw new Unmakeable(
      'is a component, and its project has no esbuild to compile it with: `npm install --save-dev esbuild` brings it.',
    );
  const { code, files } = await bundle(esbuild, path);
  try {
    return { files, folders: [], ...(await renderComponent(path, code, data)) };
  } catch (error) {
    // It may lie in any of them.
    throw error instanceof Unmakeable ? error : new Fault(messageOf(error), files, error);
  }
};

async function renderComponent(
  path: string,
  code: string,
  data: Record<string, unknown>,
): Promise<Pick<Made, 'html' | 'marked'>> {
  const own = run(code, path);
  const Email = own.default;
  if (typeof Email !== 'function')
    throw new Unmakeable(`exports no component by default; \`export default\` in ${basename(path)} names it.`);
  const toHtml = rendererOf(path);
  const react = loadPackage<{ createElement(type: unknown, props: object): unknown }>(path, 'react');
  if (!react || findPackage(path, 'react/jsx-runtime') === undefined)
    throw new Unmakeable('is a component, and its project has no React: `npm install react react-dom` brings it.');
  const props = {
    ...(Email.PreviewProps ?? Email.previewProps ?? own.PreviewProps ?? own.previewProps),
    ...data,
  };
  const marks = globalThis as { __galleyMarks?: boolean };
  const rendered = async (isMarked: boolean): Promise<string> => {
    marks.__galleyMarks = isMarked;
    return toHtml(react.createElement(Email, props));
  };
  const html = await rendered(false);
  // Some component may not bear an attribute that it does not know; then nothing says where its lines are.
  const marked = await rendered(true).catch(() => undefined);
  return { html, ...(marked !== undefined && { marked }) };
}
