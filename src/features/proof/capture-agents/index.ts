// Agents: programs that the operator enrolled, which run real clients. An account asks for a capture of a test in a
// client; an agent that runs it claims the request for two minutes, extends that while it works, and ends it with a
// picture. A claim that ends without one is anybody's again, three times at most. A token opens this and nothing else.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export default defineFeature({ name: 'capture-agents', endpoints, migrations: migrationsIn(import.meta.url) });
