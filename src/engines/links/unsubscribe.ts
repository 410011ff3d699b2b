// Links that may unsubscribe somebody when they are followed.

/** Words in a path or query, in the languages most mail is sent in. */
const IN_URL =
  /(?:^|[/?&=._-])(?:un-?subscri(?:be|ption)|opt-?out|optout|list-?unsub|unsub|signoff|abmelden|abbestellen|austragen|desabonne\w*|desinscri\w*|desuscri\w*|darse-?de-?baja|cancelar-?(?:suscripcion|inscricao)|disiscri\w*|cancella-?iscrizione|afmelden|uitschrijven|avregistrera|avmeld|afmeld|odhlasit|wypisz|otpisat\w*|email-?preferences?|preference-?cent(?:er|re)|manage-?(?:preferences|subscriptions?))(?:$|[/?&=._-])/i;

const IN_TEXT =
  /\b(?:unsubscribe|opt[ -]?out|sign me off|stop receiving|no longer (?:wish|want) to receive|remove me|manage (?:your )?(?:preferences|subscriptions?)|abmelden|abbestellen|austragen|désabonner|désinscri\w+|se désabonner|darse de baja|darme de baja|cancelar (?:la )?suscripción|cancelar (?:a )?(?:inscrição|assinatura)|disiscri\w+|annulla (?:l['’])?iscrizione|afmelden|uitschrijven|avregistrera|avmeld|meld av|afmeld|odhlásit|wypisz)(?!\p{L})|отписаться|配信停止|購読解除|退订|取消订阅|수신거부|إلغاء الاشتراك/iu;

/** Whether a link is called, or addressed, like one that unsubscribes. */
export function looksLikeUnsubscribe(link: { url: string; text?: string | undefined }): boolean {
  return IN_URL.test(decoded(link.url).slice(0, 4_000)) || (link.text !== undefined && IN_TEXT.test(link.text));
}

function decoded(url: string): string {
  return url.replace(/%2[fd]/gi, (code) => (/f$/i.test(code) ? '/' : '-'));
}

/** The web addresses of a List-Unsubscribe field (RFC 2369 §3.2). */
export function unsubscribeUrls(field: string): string[] {
  return [...field.slice(0, 20_000).matchAll(/<\s*(https?:[^<>\s]+)\s*>/gi)].map((match) => match[1]!);
}
