// Mail that comes back for what was sent: reports of bounces that came after the delivery, and complaints of recipients.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { returnedMail } from './mail.ts';

export default defineFeature({
  name: 'bounces',
  endpoints: [],
  migrations: migrationsIn(import.meta.url),
  mailReceivers: [returnedMail],
});
