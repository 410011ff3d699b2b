// Routes: which messages an expression is about, and what is done with them.
export { ACTION_LENGTH_MAX, fillAction, readAction, type RouteAction } from './actions.ts';
export { EXPRESSION_LENGTH_MAX, readExpression, type RouteExpression } from './expression.ts';
export { RouteFault } from './fault.ts';
export { costOf, couldMatch, matchRoute, type Captures, type RoutedMessage } from './match.ts';
