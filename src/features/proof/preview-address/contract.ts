import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';

export const getAddress = contract({
  method: 'POST',
  operationId: 'getPreviewAddress',
  path: '/v1/preview/address',
  summary: "Get or create the account's preview address",
  description: 'A message that is sent to it becomes a preview test in all default clients.',
  tag: 'Email preview',
  errorShape: 'reason',
  product: 'email_preview',
  reply: Type.Object({ preview_address: Type.String() }),
});
