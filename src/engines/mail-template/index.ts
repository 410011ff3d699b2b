// Variables in messages: `{{name}}` of templates, `%recipient.name%` of one recipient. Pure and bounded.
export { renderTemplate, type Rendered, type TemplateFault, type TemplateLimits } from './render-template.ts';
export { fillRecipientVariables, recipientVariablesIn, type RecipientVariables } from './recipient-variables.ts';
