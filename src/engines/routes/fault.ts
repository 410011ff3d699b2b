/** What is wrong with an expression or an action: a part of a sentence, for whoever wrote it. */
export class RouteFault extends Error {}
