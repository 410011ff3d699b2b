// Phrases of unwanted mail in German, French, Spanish, Italian, Portuguese and Dutch; English ones stand with their
// rules. Patterns of one line are one phrase: a rule that wants two different phrases wants two lines.
type Patterns = Readonly<Record<string, readonly string[]>>;

const PRIZES = [
  '(?:sie|du) (?:haben|hast|wurden|wurdest|sind|bist)\\b[^.\\n]{0,40}(?:gewonnen|ausgewählt|auserwählt|gewinner)',
  'gehören zu den (?:wenigen )?(?:auserwählten|möglichen finalisten|gewinnern)',
  '(?:mögliche[rn]?|unserer) (?:finalist|gewinner)\\w*',
  '(?:gutschein|geschenkkarte|tickets?|eintrittskarten|paket)\\b[^.\\n]{0,60}(?:gewinnen|verlosung|' +
    'gewinnspiel|wartet|erhalten)',
  '(?:\\d+ ?€|€ ?\\d+)[- ][^.\\n]{0,20}gutschein',
  'klicke und gewinne|jetzt gewinnen|ihr(?:en)? gewinn (?:abholen|sichern|anfordern)',
  'vous avez été (?:sélectionné|choisi|tiré au sort)\\w*',
  '(?:réclamer|récupérer) (?:votre|vos) (?:prix|récompense|cadeau|gain)\\w*',
  "(?:gagnez|gagner|remporte[rz])\\b[^.\\n]{0,30}(?:€|carte|bon d’achat|bon d'achat|iphone|smartphone)",
  "(?:carte[- ]cadeau|chèque[- ]cadeau|bon d[’']achat)\\b[^.\\n]{0,50}(?:prêt|offert|gagn|sélectionn|" +
    'répondre)\\w*|heureux gagnant',
  'récompenser pour votre fidélité',
  '(?:ha|has) sido (?:seleccionad|elegid|premiad)[oa]\\w*',
  '(?:reclam[ae]r?|reciba|recibe|cobrar) (?:su|tu) (?:premio|recompensa|regalo)',
  '(?:gan[ae]|ganador|ganadora)\\b[^.\\n]{0,30}(?:premio|lotería|sorteo|tarjeta regalo|€|iphone)',
  '(?:sei|è) stat[oa] (?:selezionat|scelt|estratt)[oa]|hai vinto|ha vinto',
  '(?:ritira|richiedi|riscuoti|reclama) (?:il tuo|il suo|la tua) (?:premio|ricompensa|buono|regalo)',
  '(?:buono|carta) regalo\\b[^.\\n]{0,40}(?:vinc|gratis|€|selezionat)\\w*',
  'você (?:foi|é)\\b[^.\\n]{0,20}(?:contemplad|selecionad|premiad|sortead|ganhador)\\w*',
  '(?:resgat(?:e|ar)|troque|retire) (?:os |o |a )?(?:seus?|sua) (?:pontos|prêmio|benefício|cashback|recompensa)\\w*',
  'pontos\\b[^.\\n]{0,40}(?:expirar|expiram|vencer|vencem|resgat)\\w*',
  'seu prêmio|parabéns[^.\\n]{0,30}(?:ganhou|prêmio|sortead)',
  '(?:u|je|jij) (?:bent|heeft|hebt|ben)\\b[^.\\n]{0,30}(?:geselecteerd|gewonnen|winnaar|uitgekozen)',
  '(?:claim|ontvang) (?:uw|je|jouw) (?:prijs|beloning|cadeau\\w*|waardebon)',
  '(?:cadeaubon|waardebon|cadeaukaart)\\b[^.\\n]{0,50}(?:winnen|ontvangen|gewonnen|kans)',
];

const SURVEYS = [
  '(?:kurze|nehmen sie an (?:der|einer)|beantworten sie)\\b[^.\\n]{0,30}umfrage',
  '(?:répond\\w+|participez|remplissez)\\b[^.\\n]{0,30}(?:enquête|sondage|questionnaire)',
  '(?:respond\\w+|complet\\w+|particip\\w+)\\b[^.\\n]{0,25}(?:encuesta|cuestionario|sondaggio|' +
    'questionario|pesquisa|questionário)',
  '(?:vul|doe mee|beantwoord)\\b[^.\\n]{0,30}(?:enquête|vragenlijst)',
];

const ACCOUNTS = [
  '(?:ihr|dein)e?n? (?:konto|zugang|zugriff|postfach|mailbox|karte|paket|abo\\w*|mitgliedschaft|' +
    'domain)\\w*\\b[^.\\n]{0,50}(?:gesperrt|eingeschränkt|deaktiviert|abgelaufen|abläuft|gelöscht|' +
    'gekündigt|blockiert|ausgesetzt)',
  '(?:bestätigen|verifizieren|aktualisieren) sie (?:ihre?n?|jetzt)\\b[^.\\n]{0,30}(?:daten|konto|identität|' +
    'angaben|zahlungs\\w+|kontodaten)',
  '(?:speicher\\w*|postfach|cloud)\\b[^.\\n]{0,30}(?:voll|aufgebraucht|überschritten)',
  'ungewöhnliche\\w* (?:anmelde\\w*|aktivität\\w*|zugriff\\w*)',
  '(?:zustell|versand|liefer|zoll)\\w*(?:gebühr|kosten)\\w*\\b[^.\\n]{0,40}(?:bezahlen|begleichen|zahlen|€)',
  'votre (?:compte|accès|carte|abonnement|colis|boîte\\w*|carte vitale)\\b[^.\\n]{0,50}(?:suspendu|bloqué|limité|' +
    'désactivé|expir|résilié|en attente|restreint)\\w*',
  '(?:confirme[rz]|vérifie[rz]|met(?:tre|tez) à jour|actualise[rz]) (?:vos|votre)\\b[^.\\n]{0,30}(?:informations?|' +
    'compte|identité|coordonnées|données|paiement)',
  'espace de stockage\\b[^.\\n]{0,30}(?:plein|saturé|insuffisant)',
  'frais de (?:livraison|douane|port)\\b[^.\\n]{0,40}(?:régler|payer|impayé|€)',
  '(?:su|tu) (?:cuenta|tarjeta|acceso|buzón|suscripción|paquete)\\b[^.\\n]{0,50}(?:suspendid|bloquead|limitad|' +
    'desactivad|cancelad|expirad|retenid|restringid)\\w*',
  '(?:confirme|verifique|actualice|confirma|verifica|actualiza) (?:su|sus|tu|tus)\\b[^.\\n]{0,30}(?:datos|cuenta|' +
    'identidad|información|pago)',
  'almacenamiento\\b[^.\\n]{0,30}(?:lleno|agotado)',
  '(?:il (?:suo|tuo) (?:conto|account|accesso|pacco|abbonamento)|la (?:sua|tua) ' +
    '(?:carta|casella|utenza|identità))\\b[^.\\n]{0,50}(?:sospes|bloccat|limitat|disattivat|' +
    'scadut|scade|in attesa)\\w*',
  '(?:conferm[ai]|verific[ahi]+|aggiorn[ai]) (?:i|il|la|le)? ?(?:suoi|tuoi|suo|tuo|sua|tua)\\b[^.\\n]{0,30}' +
    '(?:dati|account|conto|identità|informazioni|pagament)\\w*',
  '(?:sua|seu) (?:conta|cartão|acesso|senha|cadastro|caixa|dispositivo|assinatura)\\b[^.\\n]{0,50}(?:bloquead|' +
    'suspens|limitad|desativad|expirad|expirar|cancelad|irregular)\\w*',
  '(?:confirme|atualize|verifique|regularize|desbloque\\w+|valide) (?:o |a |os |as )?(?:seus?|suas?)\\b[^.\\n]{0,' +
    '30}(?:dados|conta|cadastro|identidade|acesso|pagamento|débito)\\w*',
  '(?:transação|compra|acesso|atividade) (?:suspeit|não reconhecid|incomum)\\w*',
  '(?:protesto em cartório|intimação|notificação judicial|mandado|débito em aberto|cpf irregular|multa pendente)',
  '(?:uw|je|jouw) (?:account|rekening|pas|kaart|toegang|postvak|abonnement|pakket\\w*|bankpas)\\b[^.\\n]{0,50}' +
    '(?:geblokkeerd|opgeschort|beperkt|verloopt|verlopen|gedeactiveerd|vastgehouden|stopgezet)',
  '(?:bevestig|verifieer|controleer|werk) (?:uw|je|jouw)\\b[^.\\n]{0,30}(?:gegevens|account|' +
    'identiteit|rekening|betaal\\w+)',
  'opslag\\w*\\b[^.\\n]{0,30}(?:vol|bijna vol)',
  '(?:openstaand|onbetaald|achterstallig)\\w*\\b[^.\\n]{0,30}(?:bedrag|factuur|boete|schuld|belasting)',
];

const MONEY = [
  '(?:verdienen sie|verdiene|du verdienst|einkommen von)\\b[^.\\n]{0,30}(?:€|euro|\\$)[^.\\n]{0,' +
    '20}(?:tag|woche|monat|stunde)?',
  '(?:schnell|über nacht|ohne arbeit) (?:reich|geld verdienen|millionär)\\w*',
  '(?:passives einkommen|finanzielle freiheit|geld verdienen von zu hause|nebenverdienst|reich werden)',
  'vervielfach\\w+ (?:sie )?(?:ihr|dein) (?:geld|kapital|einkommen)',
  '(?:gagnez|gagner|revenus? de)\\b[^.\\n]{0,30}(?:€|euros?|\\$)[^.\\n]{0,15}(?:par|chaque) ' +
    '(?:jour|mois|semaine|heure)',
  '(?:devenir riche|liberté financière|revenus? passifs?|argent facile|travail à domicile)',
  '(?:gan[ae]r?|ingresos de)\\b[^.\\n]{0,30}(?:€|euros?|dólares|\\$)[^.\\n]{0,15}(?:al|' +
    'por|cada) (?:día|mes|semana|hora)',
  '(?:hacerse rico|libertad financiera|ingresos pasivos|dinero fácil|trabaj[ae]r? desde casa)',
  '(?:guadagn[ai]|guadagnare|reddito di)\\b[^.\\n]{0,30}(?:€|euro)[^.\\n]{0,15}(?:al|a|ogni) ' +
    '(?:giorno|mese|settimana|ora)',
  '(?:diventare ricco|libertà finanziaria|reddito passivo|soldi facili|lavor[ao]\\w* da casa)',
  '(?:ganhe|ganhar|lucre|renda de)\\b[^.\\n]{0,30}(?:r\\$|reais|€)[^.\\n]{0,15}(?:por|ao|' +
    'a cada) (?:dia|mês|semana|hora)',
  '(?:ficar rico|liberdade financeira|renda extra|dinheiro fácil|trabalh\\w+ em casa)',
  '(?:verdien|inkomen van)\\b[^.\\n]{0,30}(?:€|euro)[^.\\n]{0,15}(?:per|elke) (?:dag|maand|week|uur)',
  '(?:snel rijk|financiële vrijheid|passief inkomen|geld verdienen vanuit huis|thuiswerk)',
];

const SURE_PROFITS = [
  '(?:garantierte|sichere|hohe) (?:rendite|gewinne|zinsen)\\b|bitcoin[- ](?:system|bot|code|trader)',
  '(?:rendements?|gains?|profits?) (?:garantis?|assurés?)',
  '(?:ganancias|rentabilidad|beneficios) (?:garantizad|asegurad)\\w*',
  '(?:guadagni|rendimenti|profitti) (?:garantit|sicur|assicurat)\\w*',
  '(?:lucros?|rendimentos?|ganhos?) (?:garantid|cert)\\w*',
  '(?:gegarandeerd|zeker) (?:rendement|winst)|gegarandeerde (?:winst|opbrengst)\\w*',
];

const LOANS = [
  '(?:sofortkredit|kredit ohne schufa|schufafrei\\w*)|kredit\\b[^.\\n]{0,20}(?:ohne|trotz) (?:schufa|bonität)',
  'prêt\\b[^.\\n]{0,30}(?:sans justificatif|entre particulier|rapide)|(?:offre de prêt|crédit sans)',
  'préstamos?\\b[^.\\n]{0,30}(?:sin aval|inmediat|urgente|entre particular)\\w*',
  'prestit[oi]\\b[^.\\n]{0,30}(?:senza busta|immediat|tra privati|veloc)\\w*',
  'empréstimos?\\b[^.\\n]{0,30}(?:sem consulta|na hora|imediat|pré-aprovad|aprovad)\\w*|limpe? (?:o )?seu nome',
  '(?:lening|krediet)\\b[^.\\n]{0,30}(?:zonder bkr|direct|snel)\\b',
];

const MEDICINE = [
  '(?:potenzmittel|erektionsstörung\\w*|rezeptfrei\\b[^.\\n]{0,30}(?:viagra|bestellen|kaufen)|ohne rezept)',
  '(?:sans ordonnance|dysfonction érectile|pharmacie en ligne)',
  '(?:sin receta|disfunción eréctil|farmacia (?:en línea|online))',
  '(?:senza ricetta|disfunzione erettile|farmacia online)',
  '(?:sem receita|disfunção erétil|farmácia online|impotência)',
  '(?:zonder recept|erectiestoornis\\w*|erectiepillen|online apotheek)',
];

const WEIGHT = [
  '(?:schnell\\w*|ohne diät|\\d+ ?(?:kg|kilo))\\b[^.\\n]{0,30}(?:abnehmen|gewichtsverlust|abgenommen)|fett\\w* ' +
    '(?:verbrennen|schmelzen)|keto\\b[^.\\n]{0,40}(?:gewicht|fett|kapsel)\\w*',
  '(?:perdre|perdez|maigrir)\\b[^.\\n]{0,25}(?:kg|kilos|poids)\\b[^.\\n]{0,25}(?:jours|semaines?|rapide\\w*|sans)',
  '(?:perder|pierd[ae]|bajar|adelgazar)\\b[^.\\n]{0,25}(?:kg|kilos|peso)\\b[^.\\n]{0,25}' +
    '(?:días|semanas?|rápid\\w*|sin)',
  '(?:perdere|perdi|dimagrire)\\b[^.\\n]{0,25}(?:kg|chili|peso)?\\b[^.\\n]{0,25}(?:giorni|' +
    'settiman\\w+|veloc\\w*|senza)',
  '(?:perder|perca|emagre\\w+)\\b[^.\\n]{0,25}(?:kg|quilos|peso)?\\b[^.\\n]{0,25}(?:dias|semanas?|rápid\\w*|sem)',
  '(?:afvallen|kilo\\w* kwijt)\\b[^.\\n]{0,30}(?:dagen|weken|zonder|snel)',
];

const ADULT = [
  '(?:heiße|geile|nackte|sexy|russische|einsame) (?:frauen|singles|girls|mädchen|damen|hausfrauen)',
  '(?:femmes|filles) (?:chaudes|nues|célibataires|russes|coquines)|plan cul',
  '(?:mujeres|chicas) (?:calientes|desnudas|solteras|rusas)',
  '(?:donne|ragazze) (?:calde|nude|sole|single|russe)',
  '(?:mulheres|garotas|novinhas) (?:quentes|nuas|solteiras|russas)',
  '(?:hete|geile|naakte|eenzame|russische) (?:vrouwen|meiden|singles|dames)',
];

const FORTUNES = [
  '(?:erbschaft|nächster angehöriger|verstorbene[rn]? (?:kunde|mandant|ehemann))\\w*',
  '(?:summe|betrag) von\\b[^.\\n]{0,25}millionen',
  '(?:spende|spenden|schenkung)\\b[^.\\n]{0,40}(?:€|euro|millionen|\\$)',
  '(?:héritage|proche parent|défunt (?:client|mari))',
  'somme de\\b[^.\\n]{0,25}millions?',
  'faire (?:un )?don\\b[^.\\n]{0,40}(?:€|euros|millions?)',
  '(?:herencia|pariente más cercano|difunto (?:cliente|esposo))',
  'suma de\\b[^.\\n]{0,25}millones',
  '(?:eredità|parente prossimo|defunto (?:cliente|marito))',
  'somma di\\b[^.\\n]{0,25}milioni',
  '(?:herança|parente mais próximo|falecid[oa] (?:cliente|marido))',
  '(?:soma|quantia|valor) de\\b[^.\\n]{0,25}milhões',
  '(?:erfenis|naaste familielid|overleden (?:klant|echtgenoot))',
  '(?:bedrag|som) van\\b[^.\\n]{0,25}miljoen',
];

const PRESSURE = [
  '(?:jetzt|sofort) (?:handeln|zugreifen|sichern)|nur (?:noch )?heute|letzte (?:chance|mahnung|erinnerung|warnung|' +
    'versuch)\\w*|beeilen sie sich|beeil dich',
  'innerhalb von \\d+ (?:stunden|tagen)',
  'anzahl\\b[^.\\n]{0,25}begrenzt',
  "(?:dernière? (?:chance|rappel|avertissement)|agissez (?:maintenant|vite)|aujourd[’']hui seulement|dépêchez-vous)",
  '(?:dans les|sous) \\d+ ?(?:heures|jours|h)\\b',
  '(?:última (?:oportunidad|advertencia)|actúe (?:ya|ahora)|sólo hoy|solo hoy|dese prisa)',
  '(?:ultima (?:occasione|possibilità)|agisci (?:ora|subito)|solo oggi|affrettati)',
  '(?:última (?:chance|oportunidade)|aja (?:agora|já)|somente hoje|só hoje|corra|por tempo limitado)',
  'em até \\d+ (?:horas|dias)|dentro de \\d+ horas',
  '(?:laatste (?:kans|herinnering|waarschuwing)|handel (?:nu|snel)|alleen vandaag|wees snel)',
  'binnen \\d+ (?:uur|dagen)',
];

const SECRETS = [
  '(?:geben|senden|bestätigen) sie (?:uns )?(?:bitte )?(?:ihr|ihre) (?:passwort|kennwort|pin|tan|' +
    'kreditkarten?\\w*|kartennummer|bankdaten|zugangsdaten)',
  '(?:saisi\\w+|envoyez|confirmez) (?:votre|vos) (?:mot de passe|code (?:pin|secret)|numéro de ' +
    'carte|coordonnées bancaires|identifiants)',
  '(?:introduzca|envíe|confirme) (?:su|sus) (?:contraseña|clave|pin|número de tarjeta|datos bancarios)',
  '(?:inserisc\\w+|invi\\w+|conferm\\w+) (?:la (?:sua|tua)|il (?:suo|tuo)|i (?:suoi|tuoi)) (?:password|pin|numero ' +
    'di carta|dati bancari|credenziali)',
  '(?:informe|digite|envie|confirme) (?:a |sua |seu |os seus )*(?:senha|token|número do cartão|dados bancários)',
  '(?:voer|stuur|bevestig) (?:uw|je) (?:wachtwoord|pincode|kaartnummer|bankgegevens|inloggegevens)',
];

const PROMISES = [
  '(?:100 ?%|völlig|komplett|garantiert) (?:kostenlos|gratis|risikofrei)|ohne (?:risiko|verpflichtung)\\w*',
  '(?:100 ?%|totalement|entièrement) gratuit\\w*|sans (?:engagement|risque)',
  '(?:100 ?%|totalmente|completamente) (?:gratis|gratuito)|sin (?:compromiso|riesgo)',
  '(?:100 ?%|totalmente|completamente) (?:gratis|gratuito)|senza (?:impegno|rischi\\w*)',
  '(?:100 ?%|totalmente|completamente) (?:grátis|gratuito)|sem (?:compromisso|risco)',
  '(?:100 ?%|helemaal|volledig) gratis|zonder (?:verplichting\\w*|risico)',
  'geld[- ]zurück[- ]garantie|satisfait ou remboursé|devolución garantizada|soddisfatti o rimborsati|satisfação ' +
    'garantida|niet goed,? geld terug',
];

const GREETINGS = [
  '(?:sehr geehrter?|lieber?|hallo|guten tag) (?:kunde|kundin|nutzer|benutzer|kontoinhaber|' +
    'kreditnehmer|gewinner|freund)\\b',
  'ch(?:er|ère) (?:client\\w*|utilisateur|bénéficiaire|ami|membre|acheteur)',
  '(?:estimad[oa]|querid[oa]) (?:client[ea]|usuari[oa]|amig[oa]|beneficiari[oa])',
  '(?:gentile|caro|cara) (?:client[ei]|utente|amic[oa]|beneficiari[oa])',
  '(?:prezad[oa]|car[oa]|querid[oa])(?:\\(a\\))? (?:client[ea]|usuári[oa]|amig[oa]|beneficiári[oa])',
  '(?:beste|geachte) (?:klant|gebruiker|vriend|begunstigde|rekeninghouder)',
];

/** By rule. */
const PHRASES: Patterns = {
  BODY_LOTTERY: PRIZES,
  BODY_SURVEY: SURVEYS,
  BODY_ACCOUNT_THREAT: ACCOUNTS,
  BODY_EASY_MONEY: MONEY,
  BODY_CRYPTO: SURE_PROFITS,
  BODY_DEBT: LOANS,
  BODY_PHARMACY: MEDICINE,
  BODY_WEIGHT_LOSS: WEIGHT,
  BODY_ADULT: ADULT,
  BODY_ADVANCE_FEE: FORTUNES,
  BODY_PRESSURE: PRESSURE,
  BODY_SECRETS: SECRETS,
  BODY_NO_RISK: PROMISES,
  BODY_IMPERSONAL: GREETINGS,
};

/** Whole words: letters on either side would make another word. */
export function phrasesOf(rule: string): RegExp[] {
  return (PHRASES[rule] ?? []).map(
    (source) =>
      new RegExp(
        `(?<!\\p{L})(?:${source.replaceAll('\\b', '(?!\\p{L})').replaceAll('\\w', '\\p{L}')})(?!\\p{L})`,
        'giu',
      ),
  );
}
