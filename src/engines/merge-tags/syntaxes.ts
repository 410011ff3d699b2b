// The one table of merge tags: how each common sending service and template language writes them, and the name in each.

export interface Syntax {
  /** The services or languages, as findings name them. */
  name: string;
  /**
   * The whole tag. Each begins with characters of its own and has a bound, and none can match the same text in two
   * ways, so that looking for tags takes time by the length of a text, whatever the text is.
   */
  source: string;
  /** What a tag of the syntax asks for; a tag that it does not fit asks for more than a value, and stays as it is. */
  value?: RegExp;
  /** The service takes capitals for small letters. */
  ignoresCase?: boolean;
  /**
   * Written with single brackets, which mean other things in style sheets (`a[name]`): a tag in words and addresses
   * only, and never filled.
   */
  isOnlyInWords?: boolean;
}

/** Words that stand alone in the tags of services whose brackets mean other things as well. */
const KNOWN =
  'first_?name|last_?name|full_?name|f_?name|l_?name|name|email|e_?mail_?address|company|unsubscribe(?:_?(?:url|' +
  'link))?|web_?version|view_?in_?browser|city|country|date|today|phone';

/** A name, a path with dots, or with brackets. */
const NAME = String.raw`\s{0,20}(?<name>[.\p{L}\p{N}_$@][\p{L}\p{N}_.$@:'"[\]\/ -]{0,119}?)\s{0,20}`;
/** What Liquid, Jinja and Django write for a value that is not there. */
const DEFAULT = String.raw`(?<filter>\|\s{0,20}default\b[^{}|]{0,200}?)?\s{0,20}`;

const value = (before: string, after: string): RegExp => new RegExp(`^${before}${NAME}${after}$`, 'u');

/** Of the API's own: `%recipient%` is the address itself; names hold letters, digits, `_`, `-`, and dots. */
export const RECIPIENT_NAME = String.raw`[\p{L}\p{N}_-]{1,120}(?:\.[\p{L}\p{N}_-]{1,120}){0,20}`;

/** Tried in this order at each place; a place belongs to the first that fits. */
export const SYNTAXES: readonly Syntax[] = [
  {
    name: 'Handlebars, Liquid, Jinja',
    source: String.raw`\{\{\{(?!\{)[^{}]{1,400}\}\}\}`,
    value: value(String.raw`\{\{\{~?`, String.raw`~?\}\}\}`),
  },
  {
    name: 'Braze',
    source: String.raw`\{\{[^{}$]{0,200}\$\{[^{}\n]{1,200}\}[^{}]{0,200}\}\}`,
    value: new RegExp(String.raw`^\{\{\s{0,20}(?:\w{1,40}\.)?\$\{${NAME}\}\s{0,20}${DEFAULT}\}\}$`, 'u'),
  },
  {
    name: 'Handlebars, Liquid, Jinja',
    source: String.raw`\{\{(?!\{)[^{}]{1,400}\}\}`,
    value: new RegExp(String.raw`^\{\{(?:~?&|[~-])?${NAME}${DEFAULT}[~-]?\}\}$`, 'u'),
  },
  { name: 'Liquid, Jinja, Twig', source: String.raw`\{%[^%{}]{1,400}%\}` },
  {
    name: 'Mailchimp',
    source: String.raw`\*\|[^|*\n]{1,80}\|\*`,
    value: value(String.raw`\*\|`, String.raw`\|\*`),
    ignoresCase: true,
  },
  { name: 'Salesforce', source: String.raw`%%\[[^%[\]]{1,400}\]%%` },
  {
    name: 'Salesforce',
    source:
      String.raw`(?:(?<!%)%%[\p{L}_@][\p{L}\p{N}_.@-]{0,79}%%` +
      String.raw`|(?<![%\d]|\d\s)%%\s{0,3}=?[\p{L}_@][^%\n]{0,120}%%)`,
    value: value('%%', '%%'),
    ignoresCase: true,
  },
  { name: 'Salesforce', source: String.raw`\{![\w.$ ]{1,80}\}`, value: value(String.raw`\{!`, String.raw`\}`) },
  {
    name: 'ERB, ASP, Adobe Campaign',
    source: String.raw`(?:<%[=@#-]?[^%]{1,200}%>|&lt;%[=@#-]?[^%]{1,200}%&gt;)`,
    value: value('(?:<|&lt;)%[=-]', '-?%(?:>|&gt;)'),
  },
  {
    name: 'JavaScript, JSP, FreeMarker',
    source: String.raw`\$\{[^{}\n]{1,200}\}`,
    value: value(String.raw`\$\{`, String.raw`\}`),
  },
  {
    name: 'Smarty',
    source: String.raw`\{\$[\p{L}_][\p{L}\p{N}_.>[\]'"|:\/ -]{0,140}\}`,
    value: value(String.raw`\{\$`, String.raw`\}`),
  },
  { name: 'Ruby, Pug', source: String.raw`#\{[^{}\n]{1,200}\}`, value: value(String.raw`#\{`, String.raw`\}`) },
  { name: 'Thymeleaf', source: String.raw`@\{[^{}\n]{1,200}\}` },
  {
    name: 'Mailgun',
    source: String.raw`%(?:recipient|mailing_list|tag|unsubscribe)(?:[._][\p{L}\p{N}_.-]{1,200})?%`,
    value: new RegExp(`^%(?<name>recipient(?:\\.${RECIPIENT_NAME})?|[a-z]+_[\\w.-]{1,200}|unsubscribe)%$`, 'u'),
  },
  {
    name: 'double brackets',
    source: String.raw`\[\[\s{0,20}[\p{L}_$](?:[\p{L}\p{N}_.$@:'"|\/ -]|&quot;|&#39;){0,140}\]\]`,
    value: value(String.raw`\[\[`, String.raw`\]\]`),
  },
  {
    name: 'Template Toolkit',
    source: String.raw`\[%[^%[\]]{1,200}%\]`,
    value: value(String.raw`\[%-?`, String.raw`-?%\]`),
  },
  {
    name: 'Word',
    source: String.raw`(?:«|&laquo;)\s{0,3}[\p{L}\p{N}]{1,40}(?:_[\p{L}\p{N}]{1,40}){1,5}\s{0,3}(?:»|&raquo;)`,
    value: value('(?:«|&laquo;)', '(?:»|&raquo;)'),
  },
  { name: 'double hashes', source: String.raw`##[a-z_]\w{0,60}##`, value: value('##', '##'), ignoresCase: true },
  { name: 'Eloqua', source: String.raw`~~eloqua\.\.[^~\s]{1,300}~~` },
  { name: 'braces', source: String.raw`\{(?:${KNOWN})\}`, value: value(String.raw`\{`, String.raw`\}`) },
  {
    name: 'percent signs',
    source: `(?<!%)%(?:${KNOWN})%(?!%)`,
    value: value('%', '%'),
    ignoresCase: true,
  },
  {
    name: 'brackets',
    source: String.raw`\[(?:${KNOWN})(?:\s?,\s?fallback=[^\][\n]{0,80})?\]`,
    isOnlyInWords: true,
  },
];

/** One side of a tag, and what stands there without the other. */
export const HALVES: readonly { source: string; what: string }[] = [
  { source: String.raw`\{\{`, what: '{{ without }}' },
  { source: String.raw`\}\}`, what: '}} without {{' },
  { source: String.raw`\*\|`, what: '*| without |*' },
  { source: String.raw`\|\*`, what: '|* without *|' },
  { source: String.raw`\{%`, what: '{% without %}' },
  { source: String.raw`%\}`, what: '%} without {%' },
];
