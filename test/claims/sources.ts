// Where the claims come from. Only facts were taken; no claim is taken from caniemail's table of features.
import type { Source, Strength } from './types.ts';

const GOOD_EMAIL_CODE = 'https://www.goodemailcode.com';
const CERBERUS = 'https://github.com/emailmonday/Cerberus/blob/main/docs/content';
const HOW_TO_TARGET = 'https://github.com/customerio/howtotarget/blob/master/hacks/_posts';
const EMAIL_BUGS = 'https://github.com/hteumeuleu/email-bugs/issues';
const PROTON = 'https://github.com/ProtonMail/WebClients/blob/main/packages/mail-renderer/helpers';

const source = (what: string, url: string, date: string, strength: Strength, version?: string): Source => ({
  what,
  url,
  date,
  strength,
  ...(version !== undefined && { version }),
});

/** An issue of the email-bugs collection: somebody saw it in the client. */
const bug = (number: number, what: string, date: string, version?: string): Source =>
  source(what, `${EMAIL_BUGS}/${number}`, date, 'measured', version);

const target = (name: string, what: string, version?: string): Source =>
  source(what, `${HOW_TO_TARGET}/${name}.md`, name.slice(0, 10), 'measured', version);

const dateless = '2026-11-26';

export const SOURCES = {
  // ---- Word
  'mso-styles': source(
    'Using MSO- styles in Email',
    `${GOOD_EMAIL_CODE}/email-enhancements/mso-styles`,
    '2023-03-01',
    'measured',
  ),
  'link-button': source(
    'Good Email Code: link button',
    `${GOOD_EMAIL_CODE}/email-code/link-button`,
    '2023',
    'measured',
  ),
  'gec-spacing': source('Good Email Code: spacing', `${GOOD_EMAIL_CODE}/email-code/spacing`, '2022-03-01', 'measured'),
  'gec-background': source(
    'Good Email Code: background images in MSO Outlook',
    'https://github.com/M-J-Robbins/good-email-code/blob/main/beta/outlook/mso-outlook-background.md',
    '2025-01-03',
    'measured',
  ),
  'gec-preheader': source('Good Email Code: preheader', `${GOOD_EMAIL_CODE}/email-code/preheader`, '2023', 'measured'),
  'cerberus-outlook': source('Cerberus: Outlook conditional CSS', `${CERBERUS}/outlook.md`, '2024-07-07', 'documented'),
  'cerberus-practice': source('Cerberus: best practices', `${CERBERUS}/best-practices.md`, '2024-07-07', 'documented'),
  'cerberus-dark': source('Cerberus: dark mode', `${CERBERUS}/dark-mode.md`, '2024-07-07', 'documented'),
  'cerberus-template': source(
    'Cerberus: the hybrid template',
    'https://github.com/emailmonday/Cerberus/blob/main/cerberus-hybrid.html',
    '2024-07-07',
    'common',
  ),
  'cerberus-231': source(
    'Images are cut off in desktop Outlook',
    'https://github.com/emailmonday/Cerberus/issues/231',
    '2019-09-26',
    'measured',
  ),
  'target-outlook': target('2019-04-01-outlook', 'How to target Outlook for Windows', 'Outlook 2007 to 2021'),
  'formatted-comment': source(
    'A message is truncated in desktop Outlook by a formatter that breaks the line in [if mso]',
    'https://github.com/ues-io/uesio/issues/4557',
    '2025-02-04',
    'measured',
    'Outlook desktop',
  ),
  'formatter-breaks': source(
    'Prettier breaks MSO comments',
    'https://github.com/resend/react-email/pull/1839',
    '2024-12-24',
    'measured',
  ),
  'slash-ending': source(
    '<![endif]/--> in the head keeps Outlook from showing the message',
    'https://github.com/shellscape/jsx-email/issues/403',
    '2026-01-21',
    'measured',
    'Outlook 2019 and 365',
  ),
  'word-capabilities': source(
    'Word 2007 HTML and CSS rendering capabilities in Outlook 2007',
    'http://msdn.microsoft.com/en-us/library/aa338201.aspx',
    '2007',
    'documented',
    'Outlook 2007',
  ),
  'outlook-2007-list': source(
    'Outlook 2007 emails rendered by Word 2007',
    'http://cfea.org/2007/01/10/outlook-2007-emails-rendered-by-word-2007/',
    '2007-01-10',
    'documented',
  ),
  'html-email-sheet': source(
    'HTML emails: properties to avoid',
    'https://devhints.io/html-email',
    '2017-08-30',
    'common',
  ),
  'spacing-2025': source(
    'Outlook specifics for spacing and vertical alignment in tables',
    'https://kontent.ai/blog/emails-spacing-outlook-vertical-alignment-in-tables',
    '2025',
    'measured',
  ),
  'image-height': source(
    'Large pictures clipped in Outlook 2007: the maximum size for images',
    'https://blogs.msdn.microsoft.com/sfellman/2008/09/17/large-pictures-clipped-in-outlook-2007-maximum-size-for-images/',
    '2008-09-17',
    'documented',
    'Outlook 2007',
  ),
  'small-images': source(
    'Images lower than 15 px in Outlook 2013',
    'https://litmus.com/community/discussions/293-why-declare-font-size-and-line-height-to-be-zero',
    dateless,
    'common',
    'Outlook 2013',
  ),
  'row-padding': source(
    'The Holy Mail: cells of a row and their padding',
    'http://commadot.com/the-holy-mail/',
    '2008-08-27',
    'measured',
    'Outlook 2007',
  ),
  'word-fonts': source(
    'Today I learned about mso-generic-font-family',
    'https://www.hteumeuleu.com/2019/today-i-learned-about-mso-generic-font-family/',
    '2019-07-17',
    'measured',
    'Outlook 2007 to 2019',
  ),
  'outlook-sop': source(
    'How to hand-build an HTML email that survives Outlook',
    'https://brian-mills.com/exhibits/sop-html-email-outlook',
    dateless,
    'common',
  ),
  'vml-padding': bug(32, 'Left padding fails in VML', '2025-04-04', 'Outlook 2013 and 2016'),
  dpi: source(
    'Solving DPI scaling issues with HTML email in Outlook',
    'https://blog.jmwhite.co.uk/2014/03/28/solving-dpi-scaling-issues-with-html-email-in-outlook/',
    '2014-03-28',
    'measured',
    'Outlook 2007 to 2013',
  ),
  'table-centering': source(
    'Better support for broken Outlook',
    'https://github.com/odoo/odoo/pull/9019',
    '2015-10-12',
    'measured',
  ),
  'dark-levels': source(
    'Levels of email dark mode',
    'https://dev.to/ovidem/levels-of-email-dark-mode-fgh',
    dateless,
    'measured',
  ),
  'dark-ometria': source(
    'How apps and devices currently handle light and dark mode',
    'https://support.ometria.com/hc/en-gb/articles/8844469213597-How-apps-and-devices-currently-handle-light-dark-mode',
    dateless,
    'documented',
  ),
  'dark-bird': source(
    'Different email clients in dark mode',
    'https://docs.bird.com/taxi/email-and-taxi-for-email-best-practice/dark-mode/different-email-clients-in-dark-mode',
    dateless,
    'documented',
  ),
  'dark-sidemail': source(
    'Dark mode in HTML email',
    'https://sidemail.io/articles/dark-mode-in-html-email/',
    '2019-10-08',
    'measured',
  ),
  // ---- Gmail
  'target-gmail': target('2019-03-26-gmail', 'u + .body'),
  'target-gmail-mobile': target('2019-04-01-gmail', 'u + .body in a media query'),
  'gmail-style-size': bug(90, 'Styles beyond 16 KB are removed', '2023-07-27'),
  'gmail-nested-at': bug(21, 'A style element with a nested at-rule is removed', '2017-01-20'),
  'gmail-clip': bug(41, 'Messages are clipped at 102 KB', '2025-08-01'),
  'gmail-black-links': bug(71, 'Gmail no longer changes black links', '2019-11-18'),
  'gmail-style-in-body': source(
    'Gmail allows style elements in the head only',
    'https://github.com/aimeos/ai-client-html/issues/31',
    '2017-05-26',
    'measured',
  ),
  'gmail-negative-margin': source(
    'Gmail strips negative margins',
    'https://github.com/jonkemp/inline-css/issues/69',
    '2017-10-11',
    'measured',
  ),
  'gmail-td-font': source(
    'Gmail sets the font of cells',
    'https://riptutorial.com/email/example/25824/email-clients-and-rendering-engines',
    '2016-11-23',
    'documented',
  ),
  'gmail-bare-links': source('Gmail links abc.de', 'https://www.e-learn.cn/qa/q-183527.html', dateless, 'measured'),
  'gmail-background': bug(130, 'Background images in inline styles', '2023-07-24', 'Chrome 114'),
  'bare-links': source(
    'Stop email clients from hyperlinking text that is merely URL-like',
    'https://blog.teknkl.com/stop-email-client-hyperlinking-text-without-consent/',
    dateless,
    'measured',
  ),
  'body-results': source(
    'What becomes of the body element: the code of each client',
    'https://github.com/hteumeuleu/caniemail/issues/212',
    '2021-11-30',
    'measured',
  ),
  'hidden-text': source(
    'Visually hidden text',
    `${GOOD_EMAIL_CODE}/email-accessibility/visually-hidden-text`,
    '2022',
    'measured',
  ),
  'font-sizes': source(
    'Default font sizes of email clients',
    `${GOOD_EMAIL_CODE}/email-accessibility/rem-and-em`,
    '2022-05-10',
    'measured',
  ),
  'gec-svg': source('SVG in email', `${GOOD_EMAIL_CODE}/email-enhancements/svg`, '2022', 'documented'),
  'gmail-dark': bug(68, "Gmail's dark mode", '2024-05-20'),
  'gmail-blend': source(
    "Fixing Gmail's dark mode issues with CSS blend modes",
    'https://hteumeuleu.medium.com/fixing-gmails-dark-mode-issues-with-css-blend-modes-1b26174fcfd9',
    '2021',
    'measured',
  ),
  'android-fit': source(
    'Messages wider than the screen are fitted',
    'https://android.googlesource.com/platform/packages/apps/UnifiedEmail/',
    '2017',
    'documented',
  ),
  'proton-as-gmail': source(
    'White space is handled as Gmail does',
    `${PROTON}/transforms/transformStyleAttributes.ts`,
    '2026',
    'documented',
  ),
  // ---- Outlook.com, new Outlook, the apps
  'target-outlook-web': target('2019-04-08-outlook-webmail', 'Attribute selectors with x_'),
  'target-chain': target('2025-03-28-outlook-webmail', 'Chained classes, and box-sizing'),
  'target-null': target('2019-03-26-outlook-ios-android', 'A name that ends with \\0'),
  'target-dark': target('2019-10-15-outlook-dark-mode', '[data-ogsc] and [data-ogsb]'),
  'target-converted': target('2023-12-12-outlook-mac-android', '#converted-body'),
  'outlook-attributes': bug(38, 'An attribute selector on an element is broken', '2018-04-16'),
  'outlook-body': bug(88, 'body in selectors', '2021-02-18'),
  'outlook-max-width': bug(93, 'max-width of images is ignored', '2024-01-14'),
  'outlook-ios-text': bug(100, 'Outlook for iOS enlarges text', '2021-09-28'),
  'outlook-ios-clip': bug(108, 'Outlook for iOS clips at 5000 px', '2022-02-09', '4.2205.0'),
  'outlook-web-dark': source(
    "Dealing with Outlook.com's dark mode",
    'https://www.hteumeuleu.com/2019/dealing-with-outlook-com-s-dark-mode/',
    '2019',
    'measured',
  ),
  'rooster-dark': source(
    'The color rule of Outlook on the web',
    'https://github.com/microsoft/roosterjs/blob/master/packages/roosterjs-color-utils/lib/utils/getDarkColor.ts',
    '2023',
    'documented',
  ),
  'outlook-web-comments': source(
    'Conditional comments are removed in Outlook webmail',
    'https://github.com/mjmlio/mjml/issues/540',
    '2017-02-07',
    'measured',
  ),
  'new-outlook': source(
    'The new Outlook for Windows',
    'https://dev.to/emailmarkup/the-new-outlook-for-windows-54k7',
    '2023',
    'measured',
  ),
  'dark-queries': source(
    'Something about mail content in dark mode',
    'https://meistudio.medium.com/something-about-mail-content-in-dark-mode-53759d42f4c8',
    '2022-01-10',
    'measured',
  ),
  'cross-platform': source(
    'Cross-platform HTML design',
    'https://www.twilio.com/docs/sendgrid/ui/sending-email/cross-platform-html-design',
    dateless,
    'documented',
  ),
  // ---- Apple
  'apple-mojave': source(
    "How macOS Mojave's dark mode for Apple Mail impacts email design",
    'https://www.kevinmandeville.com/blog/how-macos-mojave-dark-mode-for-apple-mail-impacts-email-design',
    '2018-09',
    'measured',
    'macOS 10.14',
  ),
  'apple-two-by-one': source(
    'The ultimate guide to dark mode',
    'https://www.litmus.com/blog/the-ultimate-guide-to-dark-mode-for-email-marketers',
    '2022',
    'measured',
  ),
  'apple-detectors': source('NSDataDetector', 'http://nshipster.com/nsdatadetector/', '2014', 'documented'),
  'apple-reformatting': bug(18, 'Auto-scaling in iOS Mail', '2016-09', 'iOS 10'),
  'apple-as-safari': source(
    'A design that works in Safari works in Apple Mail',
    'https://www.campaignmonitor.com/dev-resources/guides/coding/',
    dateless,
    'documented',
  ),
  'apple-calibri': source(
    'Fonts in the native iOS Mail app',
    'https://forums.macrumors.com/threads/fonts-in-the-native-ios-10-mail-app.2039571',
    '2017',
    'measured',
    'iOS 10',
  ),
  'apple-touch': target('2021-06-14-ios-mail-15', '@supports (-webkit-overflow-scrolling:touch)', 'iOS 15'),
  'apple-full-width': source(
    '@supports (text-transform: full-width)',
    `${HOW_TO_TARGET}/2023-12-19-apple-mail-ios-17`,
    '2023-12-19',
    'measured',
    'iOS 17',
  ),
  'dark-guide': source(
    'HTML email guide: dark mode',
    'https://html-email-guide.vercel.app/guides/dark-mode',
    dateless,
    'documented',
  ),
  // ---- Yahoo and AOL
  'target-yahoo': target('2019-03-26-yahoo', '.& in a selector'),
  'target-yahoo-word': target('2021-06-21-yahoo-aol', 'Any word after !'),
  'target-yahoo-comment': target('2020-03-23-yahoo', 'Comments in values are opened'),
  'yahoo-comments': bug(25, 'A rule after a comment is ignored', '2021-02-25'),
  'yahoo-comma': bug(149, 'A media query with a comma', '2025-08-19'),
  'yahoo-image-class': bug(157, 'Classes of images are removed', '2025-10-09'),
  'yahoo-names': bug(22, 'Names that begin with _ or -', '2016-10-21'),
  'yahoo-engine': bug(58, "AOL uses Yahoo's engine since 2018", '2019-02-19'),
  'gec-text': source('Good Email Code: text', `${GOOD_EMAIL_CODE}/email-code/text`, '2022-03-10', 'measured'),
  // ---- Samsung, Thunderbird
  'target-samsung': target('2019-03-26-samsung-email-s5-s9-2', '#MessageViewBody'),
  'target-samsung-account': target('2024-07-17-samsung-email-non-microsoft', '& #MessageViewBody'),
  'target-samsung-head': target('2019-03-26-samsung-email-s5-s9', 'meta ~ *, title ~ *'),
  'samsung-width': bug(73, 'A table with a width attribute is fitted as a whole', '2022-02-15', '6.1.61.1'),
  'android-fonts': source(
    'The fonts of Android',
    'https://android.googlesource.com/platform/frameworks/base/+/refs/heads/main/data/fonts/fonts.xml',
    '2023',
    'documented',
  ),
  'target-thunderbird': target('2019-03-26-thunderbird', 'meta ~ *, title ~ *'),
  'target-thunderbird-wrapper': target('2019-03-26-thunderbird-2', '.moz-text-html'),
  'thunderbird-links': source(
    'Links generated automatically',
    'https://kb.mozillazine.org/Links_generated_automatically',
    dateless,
    'documented',
  ),
  'thunderbird-dark': source(
    'DarkReader.mjs',
    'https://searchfox.org/comm-central/source/mail/base/content/modules/DarkReader.mjs',
    '2026',
    'documented',
  ),
  // ---- Others
  'proton-inline': source(
    'What Proton Mail does to style attributes',
    `${PROTON}/transforms/transformStyleAttributes.ts`,
    '2026',
    'documented',
  ),
  'proton-sheets': source(
    'What Proton Mail does to style elements',
    `${PROTON}/transforms/transformStylesheet.ts`,
    '2026',
    'documented',
  ),
  'proton-frame': source(
    "The style sheet of Proton Mail's frame",
    `${PROTON}/MessageIframe.raw.scss`,
    '2026',
    'documented',
  ),
  'proton-selectors': source(
    'Selectors in Proton Mail',
    'https://github.com/hteumeuleu/caniemail/pull/603',
    '2026-09-16',
    'measured',
  ),
  'proton-pseudo': source(
    'Pseudo-elements in Proton Mail',
    'https://github.com/hteumeuleu/caniemail/pull/602',
    '2026-09-16',
    'measured',
  ),
  'target-proton': target('2025-04-27-proton', '#proton-root'),
  'fastmail-author': source(
    'How Fastmail shows messages, by its author',
    'https://lists.w3.org/Archives/Public/public-htmail/2014Feb/0035.html',
    '2014-02-04',
    'documented',
  ),
  'hey-dark': source(
    'Email clients and dark mode',
    'https://world.hey.com/nikosv/email-clients-vs-dark-mode-mobile-db3a3e51',
    '2021',
    'measured',
  ),
  'gmx-style': source(
    'The style element in GMX',
    'https://github.com/hteumeuleu/caniemail/issues/347',
    '2023-07-27',
    'measured',
  ),
  'webde-style': source(
    'The style element in WEB.DE',
    'https://github.com/hteumeuleu/caniemail/issues/446',
    '2024-07-26',
    'measured',
  ),
  'tonline-comments': bug(43, 'T-Online shows conditional comments', '2018-05-30'),
  'target-libero': target('2021-10-29-libero', '.mail-detail-content in Libero, Comcast, IONOS'),
  'style-comments': bug(151, 'SFR and La Poste comment out style elements', '2025-08-19'),
  'orange-styles': bug(48, "Orange's default styles", '2018-08-06'),
  'orange-comments': bug(35, 'Orange breaks @media after a comment', '2018-03-07'),
  'sfr-margin': bug(122, 'SFR: margin auto for every element', '2022-11-21'),
  'sfr-font': bug(123, 'SFR changes font-weight', '2022-11-21'),
  'target-free': target('2024-08-30-freefr-webmail', 'v1 before class names'),
  'faux-absolute': source(
    'Absolute position across clients',
    `${GOOD_EMAIL_CODE}/email-enhancements/faux-absolute-position`,
    '2022',
    'measured',
  ),
  // ---- Every client
  'mailchimp-basics': source(
    'About HTML email',
    'https://mailchimp.com/help/about-html-email/',
    dateless,
    'documented',
  ),
  'acoustic-limits': source(
    'Email limitations and restrictions',
    'https://help.goacoustic.com/hc/en-us/articles/360043608773-Email-limitations-and-restrictions',
    dateless,
    'documented',
  ),
} satisfies Record<string, Source>;

export type SourceName = keyof typeof SOURCES;
