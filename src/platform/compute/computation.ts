// What can be computed elsewhere: a function of a module, declared where it stands, so that another process finds it.

/** Pure: reads its input, answers its output; both survive the way between processes (structured clone). */
export interface Computation<Input, Output> {
  /** `import.meta.url` of the module that exports the computation. */
  module: string;
  /** The name of that export. */
  name: string;
  run(input: Input): Output | Promise<Output>;
}

/** Declares a computation. `export const analyze = defineComputation(import.meta.url, 'analyze', (input: …) => …)`. */
export function defineComputation<Input, Output>(
  module: string,
  name: string,
  run: (input: Input) => Output | Promise<Output>,
): Computation<Input, Output> {
  return { module, name, run };
}
