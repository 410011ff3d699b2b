// Products that an account can be without, by the names of the wire.
import { AppError } from '../errors/index.ts';

/** Every product, and what people call it. */
export const PRODUCTS = {
  email_preview: 'Email Preview',
  inbox_placement: 'Inbox Placement',
  sending: 'Sending',
  validations: 'Validation',
  validations_bulk: 'Bulk Validation',
} as const;

export type Product = keyof typeof PRODUCTS;

/** The account has the product switched off. */
export function notEnabled(product: Product): AppError {
  return new AppError('forbidden', `${PRODUCTS[product]} is not enabled for this account`, {
    details: { feature: product },
  });
}
