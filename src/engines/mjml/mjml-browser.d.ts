// The part of mjml-browser that is used here; the package brings no types of its own.
declare module 'mjml-browser' {
  export interface MjmlError {
    line: number;
    message: string;
    tagName: string;
  }
  export interface MjmlOptions {
    validationLevel: 'soft';
    ignoreIncludes: true;
    keepComments: boolean;
  }
  const compile: (source: string, options: MjmlOptions) => { html: string; errors: MjmlError[] };
  export default compile;
}
