import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { languageOf, scoreSpam, spamFindings, SPAM_RULES, type SpamInput } from './index.ts';
import { HEADERS, HTML, NEWSLETTER, withFields, withHtml } from './newsletter.fixture.ts';

const p = (text: string): SpamInput => withHtml(`<p>${text}</p>`);
const attached = (name: string, sizeBytes = 1000): SpamInput => ({
  ...NEWSLETTER,
  attachments: [{ name, contentType: 'application/octet-stream', sizeBytes }],
});
const image = '<img src="https://img.example.com/a.png" width="300" height="200" alt="A">';
const plain = (html: string): SpamInput => ({ html, subject: 'A letter' });
const bulkFrom = (from: string): SpamInput => withFields({ From: from });

/** A message for every rule. */
const CASES: Record<string, SpamInput> = {
  GTUBE: p('XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'),
  BODY_ADVANCE_FEE: p('I am the next of kin of a deceased client who left an unclaimed fund.'),
  BODY_LOTTERY: p('Congratulations, you have won the first prize! Claim your prize here.'),
  BODY_EASY_MONEY: p('Earn $5,000 per week from your sofa.'),
  BODY_DEBT: p('No credit check, bad credit ok.'),
  BODY_PHARMACY: p('Our online pharmacy: no prescription needed.'),
  BODY_REPLICA: p('Replica watches at low prices.'),
  BODY_WEIGHT_LOSS: p('Lose 20 pounds in only 10 days.'),
  BODY_CASINO: p('Visit our online casino for free spins.'),
  BODY_ADULT: p('Meet hot singles in your town.'),
  BODY_CRYPTO: p('Guaranteed profits with our bitcoin robot.'),
  BODY_EXTORTION: p('I hacked your device and recorded you with your webcam. Send $900 in bitcoin.'),
  BODY_ACCOUNT_THREAT: p('Your account will be suspended.'),
  BODY_SECRETS: p('Please confirm your password by mail.'),
  BODY_NO_RISK: p('100% free and risk-free, no obligation.'),
  BODY_PRESSURE: p('Act now! Limited time offer, while supplies last.'),
  BODY_SAYS_NOT_SPAM: p('This email is not spam.'),
  BODY_REPLY_REMOVE: p('To leave, reply with the word remove in the subject line.'),
  BODY_IMPERSONAL: p('Dear valued customer,'),
  BODY_BULK_OFFER: p('We sell millions of verified email addresses: thousands of verified leads.'),
  BODY_SHOUTING: p(
    'THIS GARDEN OFFER STANDS ABOVE EVERY OTHER GARDEN OFFER THAT ANYBODY EVER MADE SINCE GARDENS WERE INVENTED ' +
      'LONG BEFORE WINTER CAME AND SNOW COVERED EVERYTHING WITH WHITE SILENCE',
  ),
  BODY_EXCLAMATIONS: p('Look!!! Here!!!'),
  BODY_MONEY_SIGNS: p('Make $$$ with us.'),
  BODY_DISGUISED: p('Buy V1agra here.'),
  BODY_TWO_ALPHABETS: p('Sign in at P\u0430yPal.'),
  BODY_CUT_WORDS: p('of\u200bfer of\u200bfer of\u200bfer of\u200bfer of\u200bfer of\u200bfer of\u200bfer of\u200bfer'),
  BODY_HIDDEN_TEXT: withHtml(`<div style="display:none">${'honest words about nothing at all '.repeat(30)}</div>`),
  BODY_UNSEEN_TEXT: withHtml('<p style="color:#ffffff;background-color:#fff">words that only machines can read</p>'),
  BODY_TINY_TEXT: withHtml('<p style="font-size:1px">forty letters and more that nobody with eyes can read at all</p>'),
  BODY_EMPTY: plain('<p> </p>'),
  BODY_ONLY_A_LINK: plain('<p>See <a href="https://www.example.com/x">this</a></p>'),
  BODY_PARTS_DIFFER: {
    ...NEWSLETTER,
    text:
      'Quite another message altogether concerning submarines, volcanoes, accountants, umbrellas, ' +
      'telescopes, marmalade, bicycles, philosophy, thunderstorms, elephants, radiators, saxophones, ' +
      'gravity, lemonade, parliament',
  },
  BODY_NO_TEXT_PART: { ...NEWSLETTER, text: '' },
  LINK_LIES: withHtml('<a href="https://login.evil.net/">https://www.bank.com/login</a>'),
  LINK_NUMERIC: withHtml('<a href="http://198.51.100.7/x">here</a>'),
  LINK_SHORTENER: withHtml('<a href="https://bit.ly/abc">here</a>'),
  LINK_USER_NAME: withHtml('<a href="https://www.bank.com@evil.net/">here</a>'),
  LINK_ODD_PORT: withHtml('<a href="https://www.example.com:8443/">here</a>'),
  LINK_ENCODED_HOST: withHtml('<a href="https://%77ww.example.com/">here</a>'),
  LINK_PUNYCODE: withHtml('<a href="https://xn--pypal-4ve.com/">here</a>'),
  LINK_ABUSED_ENDING: withHtml('<a href="https://offers.top/">here</a>'),
  LINK_SCRIPT: withHtml('<a href="javascript:alert(1)">here</a>'),
  LINK_DOWNLOAD: withHtml('<a href="https://www.example.com/invoice.exe">here</a>'),
  LINK_HTTP: withHtml('<a href="http://www.example.com/">here</a>'),
  LINK_MANY_DOMAINS: withHtml(
    Array.from({ length: 13 }, (_, index) => `<a href="https://shop${index}.com/">a</a>`).join(' '),
  ),
  LINK_BROKEN: withHtml('<a href="http://">here</a>'),
  IMAGE_ONLY: plain(`<a href="https://www.example.com/">${image}</a>`),
  IMAGE_MOSTLY: plain(`<p>${'word '.repeat(25)}</p>${image.repeat(4)}`),
  IMAGE_NO_ALT: withHtml('<img src="https://img.example.com/a.png" width="300" height="200">'.repeat(3)),
  IMAGE_TRACKERS: withHtml(
    ['a', 'b', 'c'].map((name) => `<img src="https://t.example.com/${name}.gif" width="1" height="1" alt="">`).join(''),
  ),
  IMAGE_IN_ADDRESS: withHtml('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="">'),
  HTML_SCRIPT: withHtml('<script>alert(1)</script>'),
  HTML_FORM: withHtml('<form action="https://www.example.com/"><input name="a"></form>'),
  HTML_FRAME: withHtml('<iframe src="https://www.example.com/"></iframe>'),
  HTML_REFRESH: {
    ...NEWSLETTER,
    html: HTML.replace('<title>', '<meta http-equiv="refresh" content="0;url=https://www.example.com/"><title>'),
  },
  HTML_CUT_WORDS: p('of<!-- a -->fer of<!-- a -->fer of<!-- a -->fer of<!-- a -->fer of<!-- a -->fer'),
  HTML_LARGE: withHtml(`<p style="${'/* */'.repeat(25_000)}">x</p>`),
  SUBJECT_MISSING: withFields({ Subject: undefined }),
  SUBJECT_SHOUTING: withFields({ Subject: 'GREAT NEWS FROM THE GARDEN' }),
  SUBJECT_MARKS: withFields({ Subject: 'Great news!!' }),
  SUBJECT_FALSE_REPLY: withFields({ Subject: 'Re: your order' }),
  SUBJECT_EMOJI: withFields({ Subject: '🎉🎉🎉 News' }),
  SUBJECT_MONEY: withFields({ Subject: 'Your $1,000,000 is here' }),
  SUBJECT_NUMBER: withFields({ Subject: 'News for you         48213' }),
  SUBJECT_LONG: withFields({ Subject: 'A long story '.repeat(20) }),
  SUBJECT_TEMPLATE: withFields({ Subject: 'Hello {{first_name}}' }),
  FROM_MISSING: withFields({ From: undefined }),
  FROM_SEVERAL: bulkFrom('A <a@news.example.com>, B <b@news.example.com>'),
  FROM_OTHER_NAME: bulkFrom('"service@bank.com" <letter@news.example.com>'),
  FROM_NO_NAME: bulkFrom('letter@news.example.com'),
  FROM_FREEMAIL: bulkFrom('Garden <garden.letter@gmail.com>'),
  FROM_DIGITS: bulkFrom('Garden <letter8273645@news.example.com>'),
  FROM_SHOUTING: bulkFrom('THE GARDEN LETTER <letter@news.example.com>'),
  FROM_ABUSED_ENDING: bulkFrom('Garden <letter@garden.top>'),
  REPLY_TO_FREEMAIL: withFields({ 'Reply-To': 'garden.letter@gmail.com' }),
  DATE_MISSING: withFields({ Date: undefined }),
  DATE_BROKEN: withFields({ Date: 'yesterday' }),
  DATE_FUTURE: withFields({ Date: 'Sun, 29 Nov 2026 10:00:00 +0100' }),
  DATE_OLD: withFields({ Date: 'Sun, 1 Nov 2026 10:00:00 +0100' }),
  MESSAGE_ID_MISSING: withFields({ 'Message-ID': undefined }),
  MESSAGE_ID_BROKEN: withFields({ 'Message-ID': '4711' }),
  TO_MISSING: withFields({ To: undefined }),
  TO_UNDISCLOSED: withFields({ To: 'undisclosed-recipients:;' }),
  TO_MANY: withFields({ To: Array.from({ length: 30 }, (_, index) => `a${index}@reader.example`).join(', ') }),
  FIELD_TWICE: withFields({ Date: ['Sat, 21 Nov 2026 10:00:00 +0100', 'Sat, 21 Nov 2026 10:00:00 +0100'] }),
  MIME_VERSION_MISSING: withFields({ 'MIME-Version': undefined }),
  PRIORITY_HIGH: withFields({ 'X-Priority': '1 (Highest)' }),
  BULK_NO_WAY_OUT: plain(
    '<p>Big sale, 20 % off, shop now, buy now. Only in our shop in the middle of town, which is ' +
      'open on all days but Sunday.</p>',
  ),
  BULK_NO_LIST_UNSUBSCRIBE: withFields({ 'List-Unsubscribe': undefined, 'List-Unsubscribe-Post': undefined }),
  BULK_NOT_ONE_CLICK: withFields({ 'List-Unsubscribe-Post': undefined }),
  BULK_NO_VISIBLE_LINK: { ...NEWSLETTER, html: '<p>Dear Anna, the tulips want to go into the ground.</p>' },
  BULK_ONE_CLICK: NEWSLETTER,
  BULK_LIST_ID: NEWSLETTER,
  ATTACHED_PROGRAM: attached('setup.exe'),
  ATTACHED_DOUBLE_ENDING: attached('invoice.pdf.zip'),
  ATTACHED_MACROS: attached('invoice.docm'),
  ATTACHED_PAGE: attached('invoice.html'),
  ATTACHED_ARCHIVE: attached('photos.zip'),
  ATTACHED_LARGE: attached('film.mp4', 20_000_000),
  BODY_SURVEY: p('Take our short survey and tell us more.'),
  BODY_GIFT: p('You have been selected. Claim your reward.'),
  BODY_WALLET: p('Your wallet will be suspended: connect your wallet to keep your USDT.'),
  BODY_STORAGE: p('Your cloud storage is full, your photos will be deleted.'),
  BODY_DELIVERY: p('Your parcel could not be delivered.'),
  BODY_RENEWAL: p('Your subscription has expired.'),
  BODY_REMOVE_LIST: p('If you wish to be removed from our list, remove your name here.'),
  BODY_MORTGAGE: p('Refinance at the lowest mortgage rates.'),
  BODY_MLM: p('A home-based business with residual income.'),
  BODY_HERBAL: p('A miracle: lose weight with herbal tea.'),
  BODY_AS_SEEN: p('As seen on TV. Amazing new product. Order now at the lowest prices.'),
  BODY_INVESTORS: p('Hot stock of the week.'),
  BODY_PARTNER: p('I am a bank manager in Lagos with a business proposal that is strictly confidential. Contact me.'),
  TEXT_IS_HTML: { subject: 'A letter', text: '<html><body><p>Hello</p><b>you</b></body></html>' },
  BODY_STYLED: p('\u{1d418}\u{1d40e}\u{1d414} won'),
  BODY_NAMES_ADDRESS: {
    ...withHtml('<p>Hello</p>'),
    html: '<p>Hello anna99@reader.example, your parcel waits.</p>',
    headers: HEADERS.map((field) => (field.name === 'To' ? { name: 'To', value: 'anna99@reader.example' } : field)),
  },
  BODY_CONTACT_ELSEWHERE: p('Write to mr.smith@gmail.com today.'),
  BODY_LARGE_SUMS: p('The sum of $10.5 million waits.'),
  HTML_LOUD_TYPE: withHtml('<font size="7">Big</font><font color="red">Red</font>'),
  BASE64_NEEDLESS: {
    ...withFields({ 'Content-Transfer-Encoding': 'base64', 'Content-Type': 'text/plain; charset=utf-8' }),
    html: undefined,
    text: 'Plain letters of the alphabet that need no encoding at all.',
  },
  SUBJECT_NAMES_ADDRESS: withFields({ To: 'anna99@reader.example', Subject: 'anna99, your parcel waits' }),
  SUBJECT_STYLED: withFields({ Subject: '\u{1d418}\u{1d40e}\u{1d414} won' }),
  SUBJECT_GAP_CODE: withFields({ Subject: 'Improved health      JBTFCZ' }),
  SUBJECT_ENDS_IN_CODE: withFields({ Subject: 'A notice for you #6375881' }),
  FROM_MALFORMED: bulkFrom('T-Mobile ,_<i6797@garden.example>'),
  FROM_STYLED: bulkFrom('"\u{1d418}\u{1d40e}\u{1d414}" <letter@news.example.com>'),
  FROM_TWO_ALPHABETS: bulkFrom('"Meta\u041cask" <letter@news.example.com>'),
  FROM_EMOJI: bulkFrom('"Garden \u{1f381}" <letter@news.example.com>'),
  FROM_RANDOM: bulkFrom('Garden <news@18tbx7s71y.com>'),
  FROM_BRAND: bulkFrom('"PayPal Service" <letter@news.example.com>'),
  FROM_IS_TO: withFields({ From: 'Anna <anna@reader.example>', To: 'anna@reader.example' }),
  REPLY_TO_ELSEWHERE: withFields({ 'Reply-To': 'answers@elsewhere.com' }),
  MESSAGE_ID_LOCAL: withFields({ 'Message-ID': '<4711@localhost>' }),
  LINK_FREE_HOSTING: withHtml('<a href="https://storage.googleapis.com/x/y.html">here</a>'),
  LINK_REDIRECT: withHtml('<a href="https://www.google.com/url?q=https://evil.net">here</a>'),
  LINK_BROKEN_IN: withHtml('<a href="https://www.bakery.com/wp-content/x/login.php">here</a>'),
  LINK_TOKEN: withHtml('<a href="https://www.example.com/a.html#4abcDEF9876543210xyz">here</a>'),
  LINK_RANDOM_HOST: withHtml('<a href="https://x1b2c3d4e5.com/">here</a>'),
  LINK_ALL_SAME: {
    ...NEWSLETTER,
    html:
      '<a href="https://www.example.com/x">a</a> <a href="https://www.example.com/x">b</a>' +
      ' <a href="https://www.example.com/x">c</a>',
  },
  LINK_NOT_SENDER: { ...NEWSLETTER, html: '<p>Read on <a href="https://www.elsewhere.com/x">there</a></p>' },
  LINK_MAILTO_STRANGER: withHtml('<a href="mailto:mr.smith@gmail.com?subject=yes">Yes</a>'),
};

describe('the built-in rules', () => {
  it('find nothing in an honest newsletter but what speaks for it', () => {
    const score = scoreSpam(NEWSLETTER);
    assert.deepEqual(
      score.rules.map(({ rule }) => rule),
      ['BULK_ONE_CLICK', 'BULK_LIST_ID'],
    );
    assert.deepEqual([score.score, score.verdict], [-1, 'nothing_found']);
  });
  it('have a case each, here', () =>
    assert.deepEqual(
      SPAM_RULES.map(({ rule }) => rule).filter((rule) => !(rule in CASES)),
      [],
    ));
  for (const [rule, input] of Object.entries(CASES)) {
    it(`${rule} is found, with its words, points, fix and source`, () => {
      const hit = scoreSpam(input).rules.find((one) => one.rule === rule);
      assert.ok(
        hit,
        scoreSpam(input)
          .rules.map((one) => one.rule)
          .join(' '),
      );
      assert.ok(hit.message && hit.description && hit.fix && hit.source && hit.points !== 0);
      for (const place of hit.places)
        if (place.part === 'html') assert.ok(place.line! >= 1 && place.offset! >= 0, JSON.stringify(place));
    });
  }
  it('take GTUBE for spam', () => assert.equal(scoreSpam(CASES['GTUBE']!).verdict, 'spam'));
  it('read a text part that says what the HTML does not, and count what both say once', () => {
    const hit = scoreSpam({ ...NEWSLETTER, text: 'Our online pharmacy: no prescription needed.' }).rules.find(
      ({ rule }) => rule === 'BODY_PHARMACY',
    );
    assert.deepEqual(
      hit?.places.map(({ part, snippet }) => [part, snippet]),
      [
        ['text', 'online pharmacy'],
        ['text', 'no prescription needed'],
      ],
    );
    const words = 'Our online pharmacy sends today.';
    const [twice] = scoreSpam({ ...p(words), text: words }).rules.filter(({ rule }) => rule === 'BODY_PHARMACY');
    assert.deepEqual(
      twice?.places.map(({ part }) => part),
      ['html'],
    );
  });
  it('know a link that shows a name and leads to a number, and a prize in figures', () => {
    const rulesOf = (input: SpamInput) => scoreSpam(input).rules.map(({ rule }) => rule);
    assert.ok(rulesOf(withHtml('<a href="http://198.51.100.7/x">https://www.bank.com</a>')).includes('LINK_LIES'));
    assert.ok(rulesOf(p('You have WON $1,000,000 today.')).includes('BODY_LOTTERY'));
    assert.ok(!rulesOf(p('You have won $10 for your next order.')).includes('BODY_LOTTERY'));
  });
  it('add up, by group too', () => {
    const score = scoreSpam(withHtml('<a href="http://198.51.100.7:8080/">Act</a>'));
    assert.deepEqual(
      score.rules.filter(({ group }) => group === 'links').map(({ rule, points }) => [rule, points]),
      [
        ['LINK_NUMERIC', 3],
        ['LINK_ODD_PORT', 0.2],
      ],
    );
    assert.equal(score.groups.links, 3.2);
    assert.equal(score.score, 2.2);
  });
});

/** Messages that we wrote: tests of rules, never of rates. */
const IN_LANGUAGES: Record<string, Record<string, string>> = {
  BODY_LOTTERY: {
    de: 'Herzlichen Glückwunsch, Sie wurden ausgewählt.',
    fr: 'Félicitations, vous avez été sélectionné.',
    es: 'Enhorabuena, ha sido seleccionado.',
    it: 'Congratulazioni, hai vinto.',
    pt: 'Parabéns, você foi contemplado.',
    nl: 'Gefeliciteerd, u bent geselecteerd.',
  },
  BODY_EASY_MONEY: {
    de: 'Verdienen Sie 5.000 € pro Woche: schnell reich werden.',
    fr: 'Gagnez 500 € par jour, la liberté financière.',
    es: 'Gane 500 € al día desde casa.',
    it: 'Guadagna 500 € al giorno.',
    pt: 'Ganhe R$ 500 por dia, renda extra.',
    nl: 'Verdien 500 euro per dag, word snel rijk.',
  },
  BODY_ACCOUNT_THREAT: {
    de: 'Ihr Konto wurde gesperrt.',
    fr: 'Votre compte a été suspendu.',
    es: 'Su cuenta ha sido bloqueada.',
    it: 'Il suo conto è stato bloccato.',
    pt: 'Sua conta foi bloqueada.',
    nl: 'Uw rekening is geblokkeerd.',
  },
  BODY_SECRETS: {
    de: 'Bitte bestätigen Sie Ihr Passwort.',
    fr: 'Confirmez votre mot de passe.',
    es: 'Confirme su contraseña.',
    it: 'Inserisca la sua password.',
    pt: 'Digite a sua senha.',
    nl: 'Bevestig uw wachtwoord.',
  },
  BODY_PHARMACY: {
    de: 'Potenzmittel, ohne Rezept.',
    fr: 'Sans ordonnance, pharmacie en ligne.',
    es: 'Farmacia online, sin receta.',
    it: 'Farmacia online, senza ricetta.',
    pt: 'Farmácia online, sem receita.',
    nl: 'Online apotheek, zonder recept.',
  },
  BODY_PRESSURE: {
    de: 'Nur heute, letzte Chance, innerhalb von 24 Stunden, die Anzahl ist begrenzt.',
    fr: 'Dernière chance, sous 24 heures. Act now.',
    es: 'Última oportunidad. Act now. Limited time.',
    it: 'Ultima occasione. Act now. Limited time.',
    pt: 'Última chance, em até 24 horas. Act now.',
    nl: 'Laatste kans, binnen 24 uur. Act now.',
  },
};
const HONEST_IN_LANGUAGES = [
  'Ihr Konto bei uns ist jetzt eingerichtet, und die Rechnung für Oktober liegt bereit.',
  'Votre compte est prêt, et la facture du mois d’octobre est disponible.',
  'Su cuenta está lista, y la factura de octubre ya está disponible.',
  'Il suo ordine è stato spedito, e la fattura di ottobre è disponibile.',
  'Sua encomenda foi enviada, e a fatura de outubro está disponível.',
  'Uw bestelling is verzonden, en de factuur van oktober staat klaar.',
];

describe('rules in seven languages', () => {
  for (const [rule, texts] of Object.entries(IN_LANGUAGES)) {
    for (const [language, text] of Object.entries(texts)) {
      it(`${rule} is found in ${language}`, () => {
        const hit = scoreSpam(p(text)).rules.find((one) => one.rule === rule);
        assert.ok(hit, text);
        assert.ok(
          hit.places.every(({ offset, snippet }) => offset !== undefined && snippet),
          JSON.stringify(hit.places),
        );
      });
    }
  }
  for (const text of HONEST_IN_LANGUAGES)
    it(`honest words cost nothing: ${text}`, () =>
      assert.deepEqual(
        scoreSpam(p(text))
          .rules.filter(({ points, group }) => points > 0 && group === 'content')
          .map(({ rule }) => rule),
        [],
      ));
  it('the language of a text is told by its small words', () => {
    assert.deepEqual(
      HONEST_IN_LANGUAGES.map((text) => languageOf(`${text} ${text}`)),
      ['de', 'fr', 'es', 'it', 'pt', 'nl'],
    );
    assert.deepEqual(
      [
        languageOf('We have sent the invoice of October to you, and it is on your page with all the other ones.'),
        languageOf('OK'),
        languageOf('Добрый день, ваш заказ отправлен сегодня утром, и счёт за октябрь уже готов для вас.'),
      ],
      ['en', undefined, undefined],
    );
  });
});

describe('honest words', () => {
  const honest = [
    'Unsubscribe with one click.',
    'Click here to read more.',
    'Free delivery from 50 € on.',
    'Your account statement for October is ready.',
    'Your order has been shipped, and expires today is not said here.',
    'The casino in town is closed.',
    'Dear Sir Simon, thank you for your money order.',
    'Sale: 20 % off everything until Sunday.',
    'We verify your e-mail address with a code: 123456.',
    'Wir haben Grüße für Sie: Straße, Öl, Äpfel.',
    'Привет из Москвы, welcome to Париж.',
    'Log in to update your payment method.',
    'The U.S. and the E.U. agreed.',
    'A specialist in Cialisa, a village.',
  ];
  for (const text of honest) {
    it(`cost nothing: ${text}`, () =>
      assert.deepEqual(
        scoreSpam(p(text))
          .rules.filter(({ points, group }) => points > 0 && group === 'content')
          .map(({ rule }) => rule),
        [],
      ));
  }
});

describe('places', () => {
  const placed = (input: SpamInput, rule: string) => scoreSpam(input).rules.find((one) => one.rule === rule)!.places;
  it('are the words themselves in the source, entities and tags between them included', () => {
    const html = '<p>Tom &amp; Jerry: you have <b>won the</b> first prize &ndash; hurry</p>';
    const [place] = placed(plain(html), 'BODY_LOTTERY');
    const words = html.slice(place!.offset, place!.offset! + place!.length!);
    assert.match(words, /^you have <b>won the<\/b> first prize/);
    assert.deepEqual([place!.line, place!.column, place!.selector], [1, html.indexOf('you') + 1, 'body > p']);
    assert.match(place!.snippet!, /^you have won the first prize/);
  });
  it('count lines, with either kind of line ending', () => {
    const [place] = placed(plain('<p>\r\n\r\nHello,\r\nyour account will be suspended</p>'), 'BODY_ACCOUNT_THREAT');
    assert.deepEqual([place!.line, place!.column], [4, 1]);
  });
  it('are in the subject where the words are', () => {
    const [place] = placed({ ...NEWSLETTER, subject: 'News: you have won the lottery' }, 'BODY_LOTTERY');
    assert.deepEqual([place!.part, place!.offset, place!.line], ['subject', 6, 1]);
  });
  it('are in the text part when there is no HTML', () => {
    const [place] = placed({ subject: 'x', text: 'Hello\nbuy replica watches' }, 'BODY_REPLICA');
    assert.deepEqual([place!.part, place!.line, place!.column], ['text', 2, 5]);
  });
  it('do not reach over blocks', () =>
    assert.equal(
      scoreSpam(withHtml('<p>your account</p><p>will be suspended</p>')).rules.some(
        ({ rule }) => rule === 'BODY_ACCOUNT_THREAT',
      ),
      false,
    ));
});

describe('spamFindings', () => {
  it('gives each hit as a finding of the uniform form', () => {
    const findings = spamFindings(scoreSpam(withHtml('<p>\n<a href="https://bit.ly/abc">here</a></p>')));
    const found = findings.find(({ rule }) => rule === 'spam/link-shortener')!;
    assert.deepEqual(
      [found.severity, found.message, found.where?.line, found.fix],
      ['error', '1 link goes through “bit.ly”.', 8, 'Link to your own domain.'],
    );
    assert.equal(
      findings.some(({ rule }) => rule === 'spam/bulk-one-click'),
      false,
    );
  });
});

describe('hostile messages', () => {
  const hostile: [string, SpamInput][] = [
    ['nothing', {}],
    ['empty fields', { html: '', text: '', subject: '', headers: [], attachments: [] }],
    ['ten thousand links', plain('<a href="http://a.top/">x</a>'.repeat(10_000))],
    ['a megabyte of one word', plain(`<p>${'a'.repeat(1_000_000)}</p>`)],
    ['a megabyte of almost phrases', plain(`<p>${'you have won the '.repeat(60_000)}</p>`)],
    ['a megabyte of single letters', plain(`<p>${'v i a '.repeat(150_000)}</p>`)],
    ['two hundred thousand blanks', plain(`<p>${' '.repeat(200_000)}x</p>`)],
    ['deep nesting', plain('<div>'.repeat(20_000))],
    ['entities', plain(`<p>${'&amp;'.repeat(100_000)} act now</p>`)],
    ['a subject of a megabyte', { subject: '$'.repeat(1_000_000) }],
    ['a long From', withFields({ From: `${'"a" '.repeat(50_000)}<a@b.example>` })],
  ];
  for (const [what, input] of hostile)
    it(`${what} is scored`, { timeout: 10_000 }, () => assert.ok(Number.isFinite(scoreSpam(input).score)));
});
