// MJML with variables, compiled to the HTML of messages with the same variables. Pure and bounded.
export { compileMjml, isMjml, type MjmlProblem } from './compile-mjml.ts';
