// Other forms of a message's HTML, worked out when they are asked for.
import { inlineStyles, textOf } from '../../../engines/html/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';

const here = import.meta.url;

export const inlinedStyles = defineComputation(here, 'inlinedStyles', (html: string) => inlineStyles(html));
export const plainText = defineComputation(here, 'plainText', (html: string) => textOf(html));
