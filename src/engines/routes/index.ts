// Routes: which messages an expression is about, and what is done with them.
export { fillAction, readAction, type RouteAction } from './actions.ts';
export { readExpression, type RouteExpression } from './expression.ts';
export { RouteFault } from './fault.ts';
export { costOf, couldMatch, matchRoute, type Captures } from './match.ts';
