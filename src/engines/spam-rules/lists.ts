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

export const EXECUTABLES = new Set(['exe', 'scr', 'com', 'bat', 'cmd', 'pif', 'vbs', 'vbe', 'js', 'jse', 'wsf', 'wsh', 'hta', 'msi', 'msp', 'cpl', 'jar', 'ps1', 'lnk', 'reg', 'iso', 'img', 'vhd', 'vhdx', 'appx', 'dll', 'chm', 'scf', 'url', 'apk', 'dmg']);
export const MACRO_DOCUMENTS = new Set(['docm', 'dotm', 'xlsm', 'xltm', 'xlam', 'xll', 'pptm', 'potm', 'ppam', 'ppsm', 'sldm', 'one']);
export const ARCHIVES = new Set(['zip', 'rar', '7z', 'gz', 'tgz', 'tar', 'bz2', 'xz', 'ace', 'arj', 'cab', 'lzh', 'z']);
export const PAGES = new Set(['htm', 'html', 'shtml', 'xhtml', 'mht', 'mhtml', 'svg', 'xht']);

/** `invoice.PDF` → `pdf`. */
export function endingOf(name: string): string {
  return /\.([a-z0-9]{1,8})\s*$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}
