// Address validation: what is known of an address by its text, by DNS, by public lists and by the account's own mail.
// What cannot be known is said to be unknown.
import { defineFeature } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export default defineFeature({ name: 'address-validations', endpoints });
