// A process of its own for what cannot be stopped otherwise, or takes its process down with it: bytes in, bytes out.
//   svg WIDTH        draws an SVG, WIDTH pixels wide at most, as PNG
//   gifsicle ARGS…   runs the WebAssembly build of gifsicle
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';

/** Its types come only together with those of a browser. */
declare const WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => unknown };

const WASM_PAGE_BYTES = 65_536;
const WASM_MEMORY_BYTES_MAX = 768 * 1024 * 1024;

async function drawSvg(input: Buffer, width: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  return sharp(input, { limitInputPixels: 50_000_000 })
    .resize({ width, height: width * 4, fit: 'inside' })
    .png()
    .toBuffer();
}

type Gifsicle = (module: Record<string, unknown>) => Promise<unknown>;

async function runGifsicle(input: Buffer, args: string[]): Promise<Buffer> {
  // Its loader takes a global fetch for a sign that it runs in a browser.
  Reflect.deleteProperty(globalThis, 'fetch');
  const gifsicle = createRequire(import.meta.url)('@wasm-codecs/gifsicle/lib/gifsicle.js') as Gifsicle;
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const said: number[] = [];
  await gifsicle({
    arguments: [...args, '-i', '/input.gif', '-o', '/output.gif'],
    input: new Uint8Array(input),
    output: (bytes: Uint8Array) => resolve(Buffer.from(bytes)),
    stdout: () => {},
    stderr: (character: number) => said.push(character),
    wasmMemory: new WebAssembly.Memory({
      initial: 16_777_216 / WASM_PAGE_BYTES,
      maximum: WASM_MEMORY_BYTES_MAX / WASM_PAGE_BYTES,
    }),
  });
  if (said.length > 0) process.stderr.write(Buffer.from(said));
  return promise;
}

const [job, ...args] = process.argv.slice(2);
const input = await buffer(process.stdin);
const output = job === 'gifsicle' ? await runGifsicle(input, args) : await drawSvg(input, Number(args[0]));
process.stdout.write(output);
