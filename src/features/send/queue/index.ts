// What waits in the queue, for whom, why and until when; and what people do about it.
import { defineFeature } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export { waitView } from './view.ts';

export default defineFeature({ name: 'queue', endpoints });
