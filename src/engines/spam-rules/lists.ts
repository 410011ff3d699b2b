// Domains and endings that rules ask about; as of 2026-11.

/** Public mailbox providers: nobody sends mailings from them honestly, and DMARC makes most of it fail. */
export const FREEMAIL = new Set([
  'gmail.com', 'googlemail.com', 'yahoo.com', 'yahoo.co.uk', 'yahoo.fr', 'yahoo.de', 'yahoo.co.jp', 'ymail.com', 'rocketmail.com', 'aol.com', 'outlook.com', 'hotmail.com', 'hotmail.co.uk', 'hotmail.fr',
  'live.com', 'msn.com', 'icloud.com', 'me.com', 'mac.com', 'gmx.com', 'gmx.de', 'gmx.net', 'web.de', 'mail.com', 'mail.ru', 'bk.ru', 'inbox.ru', 'list.ru', 'yandex.com', 'yandex.ru', 'proton.me',
  'protonmail.com', 'tutanota.com', 'zoho.com', 'fastmail.com', 'qq.com', '163.com', '126.com', 'sina.com', 'naver.com', 'daum.net', 'orange.fr', 'wanadoo.fr', 'free.fr', 'laposte.net', 'libero.it', 't-online.de', 'comcast.net', 'verizon.net', 'att.net', 'btinternet.com',
]);

/** Public link shorteners: filters cannot see where they lead, and block those that are abused as a whole. */
export const SHORTENERS = new Set([
  'bit.ly', 'tinyurl.com', 't.co', 'goo.gl', 'ow.ly', 'is.gd', 'v.gd', 'buff.ly', 'rebrand.ly', 'cutt.ly', 'shorturl.at', 't.ly', 'rb.gy', 'tiny.cc', 'bl.ink', 'lnkd.in', 'soo.gd', 's.id', 'clck.ru', 'qr.ae',
  'adf.ly', 'bc.vc', 'u.to', 'j.mp', 'x.co', 'shorte.st', 'mcaf.ee', 'su.pr', 'tr.im', 'po.st', 'kutt.it', 'urlz.fr', 'dub.sh', 'short.io', 'snip.ly', 'tny.im', 'shrtco.de', 'surl.li',
]);

/** Endings that are given away and abused more than used; whoever owns an honest name there pays for the neighbours. */
export const ABUSED_ENDINGS = new Set([
  'top', 'xyz', 'click', 'link', 'buzz', 'cfd', 'sbs', 'icu', 'cyou', 'rest', 'bond', 'monster', 'quest', 'gq', 'tk', 'ml', 'cf', 'ga', 'loan', 'win', 'bid', 'date', 'stream', 'download', 'racing', 'review', 'country', 'zip', 'mov', 'lol', 'beauty', 'hair', 'skin', 'makeup',
]);

/** Hosting that anybody gets without paying or being known; pages there live for hours. As of 2026-11. */
export const FREE_HOSTING = new Set([
  'storage.googleapis.com', 'firebasestorage.googleapis.com', 'blogspot.com', 'appspot.com', 'run.app', 'web.app', 'firebaseapp.com', 'sites.google.com', 'pages.dev', 'workers.dev', 'r2.dev', 'netlify.app', 'vercel.app', 'herokuapp.com', 'onrender.com', 'github.io', 'gitlab.io',
  'weebly.com', 'wixsite.com', 'wixstudio.io', 'webflow.io', 'square.site', 'godaddysites.com', 'wordpress.com', 'webnode.com', 'webnode.page', 'jimdosite.com', 'strikingly.com', 'yolasite.com', 'mystrikingly.com', '000webhostapp.com', 'glitch.me', 'repl.co', 'replit.app', 'surge.sh', 'fly.dev', 'ngrok.io', 'ngrok-free.app', 'trycloudflare.com',
  's3.amazonaws.com', 'amazonaws.com', 'cloudfront.net', 'blob.core.windows.net', 'web.core.windows.net', 'azurewebsites.net', 'azureedge.net', 'azurefd.net', 'cloudapp.azure.com', 'digitaloceanspaces.com', 'ondigitalocean.app', 'backblazeb2.com', 'myqcloud.com', 'aliyuncs.com', 'secureserver.net', 'contaboserver.net', 'plesk.page',
  'duckdns.org', 'no-ip.org', 'ddns.net', 'hopto.org', 'zapto.org', 'chickenkiller.com', 'mooo.com', 'sytes.net', 'ipfs.io', 'dweb.link', 'cf-ipfs.com', 'fleek.co', 'w3s.link', 'angelfire.com', 'tripod.com', 'geocities.com', 'freeservers.com', 'telegra.ph', 'linktr.ee', 'forms.gle', 'jotform.com', 'typeform.com', 'formstack.com', 'weeblysite.com', 'myshopify.com', 'systeme.io', 'blob.vercel-storage.com',
]);

/** Names that phishing borrows most, as they stand in a sender's name; the domain of a true one holds the name. */
export const BRANDS = [
  'paypal', 'microsoft', 'office 365', 'outlook', 'netflix', 'amazon', 'apple', 'icloud', 'google', 'facebook', 'instagram', 'whatsapp', 'linkedin', 'spotify', 'dhl', 'fedex', 'ups', 'usps', 'hermes', 'dpd', 'postnl', 'bpost', 'chronopost', 'correos', 'mcafee', 'norton', 'dropbox', 'docusign', 'adobe',
  'metamask', 'ledger', 'trezor', 'coinbase', 'binance', 'tether', 'trust wallet', 'blockchain', 'bradesco', 'itau', 'santander', 'banco do brasil', 'caixa', 'nubank', 'mercado pago', 'mercado livre', 'serasa', 'sparkasse', 'volksbank', 'commerzbank', 'deutsche bank', 'ing', 'rabobank', 'abn amro', 'bnp paribas', 'credit agricole', 'societe generale', 'bbva', 'caixabank', 'unicredit', 'intesa sanpaolo', 'poste italiane', 'hsbc', 'barclays', 'lloyds', 'natwest', 'chase', 'wells fargo', 'bank of america', 'citibank', 'american express', 'visa', 'mastercard',
  'walmart', 'costco', 'lowes', 'home depot', 'shein', 'temu', 'lidl', 'aldi', 'edeka', 'rewe', 'rossmann', 'mediamarkt', 'lufthansa', 'ikea', 'decathlon', 'leroy merlin', 'leclerc', 'carrefour', 't mobile', 'vodafone', 'telekom', 'verizon', 'xfinity', 'orange', 'ameli', 'ebay', 'stripe', 'geek squad', 'best buy', 'starbucks', 'dewalt', 'yeti',
] as const;

export const EXECUTABLES = new Set(['exe', 'scr', 'com', 'bat', 'cmd', 'pif', 'vbs', 'vbe', 'js', 'jse', 'wsf', 'wsh', 'hta', 'msi', 'msp', 'cpl', 'jar', 'ps1', 'lnk', 'reg', 'iso', 'img', 'vhd', 'vhdx', 'appx', 'dll', 'chm', 'scf', 'url', 'apk', 'dmg']);
export const MACRO_DOCUMENTS = new Set(['docm', 'dotm', 'xlsm', 'xltm', 'xlam', 'xll', 'pptm', 'potm', 'ppam', 'ppsm', 'sldm', 'one']);
export const ARCHIVES = new Set(['zip', 'rar', '7z', 'gz', 'tgz', 'tar', 'bz2', 'xz', 'ace', 'arj', 'cab', 'lzh', 'z']);
export const PAGES = new Set(['htm', 'html', 'shtml', 'xhtml', 'mht', 'mhtml', 'svg', 'xht']);

/** `invoice.PDF` → `pdf`. */
export function endingOf(name: string): string {
  return /\.([a-z0-9]{1,8})\s*$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}
