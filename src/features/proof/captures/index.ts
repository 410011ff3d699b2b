// Captures: pictures that real clients made of the messages of tests, each held against the preview of the same client.
//
// One made by hand is `captured`: it waits for the operator, who accepts or rejects it as evidence. Evidence is shown
// beside each preview of that client, and changes none. A capture lies below the objects of its test, and ends with it.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { compare } from './jobs.ts';
import { evidenceOfCaptures } from './provides.ts';
import { endpoints } from './routes.ts';

export { keepCapture, requireOperator } from './actions.ts';

export default defineFeature({
  name: 'captures',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [compare],
  adds: [evidenceOfCaptures],
});
