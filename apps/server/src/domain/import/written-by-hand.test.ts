import { lineOfRow } from '@linekeeper/contract/files/csv-line.ts';
import { readLinesFile } from '@linekeeper/contract/files/read-file.ts';
import { describe, expect, test } from 'vitest';
import { clock, linesIn, told } from '../../testing/found-lines.ts';

// Notes and cells of operators in Germany, Poland, Brazil, Spain and Turkey, in no format at all.

describe('a comment of an F line without a day', () => {
  const judge = (comment: string) => linesIn(`F: a b 1 0 0 { 0:0:1 } # ${comment}\n`).map(told);

  test.each([
    ...['gesperrt', 'Gesperrt!', 'GESPERRT wegen Rückstand', 'ist gesperrt', 'off'],
    ...['OFF', 'suspended', 'disabled', 'abgeschaltet', 'abgemeldet', 'gekündigt'],
    ...['kündigt', 'ruht', 'Pause', 'stillgelegt', 'aus', 'Box aus', 'zawieszony'],
    ...['zawieszone za brak wpłaty', 'wyłączone', 'wylaczony', 'odłączony', 'blokada'],
    ...['nieaktywny', 'rezygnacja', 'zrezygnował', 'skasowany', 'bloqueado'],
    ...['suspenso por falta de pagamento', 'desligado', 'cancelou', 'cancelado'],
    ...['desativada', 'inativo', 'encerrado', 'cortado', 'não ativo', 'dado de baja'],
    ...['baja', 'de baja', 'suspendido', 'bloqueado por impago', 'no activo'],
    ...['desconectado', 'kapalı', 'kapandı', 'iptal', 'iptal edildi', 'pasif'],
    ...['askıya alındı', 'engellendi', 'aktif değil', 'dondurulmuş'],
    ...['suspendiert', 'vorübergehend gesperrt', 'temporär deaktiviert'],
    ...['nicht freigeschaltet', 'abgeschalten', 'ausgeschlossen', 'Zugang entzogen'],
    ...['entzogen', 'rausgeworfen', 'zu', 'weg', 'tot', 'gelöscht am Montag'],
    ...['kein Zugang', 'ohne Zugang', 'darf nicht mehr', 'zahlt nicht mehr'],
    ...['nicht bezahlt - aus!', 'AUS!!!', '*** GESPERRT ***', '[off]', '(disabled)'],
    ...['<suspended>', '-OFF-', 'disabled by admin', 'account on hold', 'on-hold'],
    ...['not in use', 'unused', 'no access', 'access denied', 'cut off'],
    ...['switched off', 'turned off', 'shut down', 'kicked out', 'expelled'],
    ...['terminated', 'left', 'no longer customer', 'no longer a customer'],
    ...['inactivo desde mayo', 'dado de baja', 'suspendida temporalmente'],
    ...['sin acceso', 'cortada por falta de pago', 'apagado', 'banido por sharing'],
    ...['removido', 'expulso', 'sem acesso', 'fora do ar', 'parado', 'não usar'],
    ...['odebrany dostęp', 'brak dostępu', 'bez dostępu', 'nie aktywny'],
    ...['nie płaci - wyłączony', 'usunąć', 'do usunięcia', 'zlikwidowany', 'zamknięte'],
    ...['wycofany', 'erişim yok', 'kapat', 'kullanım dışı', 'devre dışı'],
    ...['hesap kapalı', 'silinecek', 'éteint', 'résilié', 'désactivé', 'coupé'],
    ...['chiuso', 'disattivato', 'uit', 'afgesloten', 'opgezegd', 'отключен'],
  ])('%s says that the line is off', (comment) => {
    expect(judge(comment)).toEqual(['STATE_IN_NOTES']);
  });

  test.each([
    ...['süresi doldu', 'bitti', 'abgelaufen', 'wygasł', 'wygasło', 'przeterminowany'],
    ...['vencido', 'caducado'],
    ...['üyelik bitti', 'süresi dolmuş'],
  ])('%s says that the line has ended', (comment) => {
    expect(judge(comment)).toEqual(['STATE_ENDED']);
  });

  test.each([
    ...['pausiert bis er zahlt', 'po terminie', 'expirou', 'venceu', 'läuft ab im Mai'],
    ...['läuft Ende Mai aus', 'bis Sommer', 'gültig noch 2 Wochen'],
    ...['nur bis Weihnachten', 'Abo 12 Monate', 'Jahresabo', 'Halbjahr', '1 J.'],
    ...['1/2 Jahr', '12 Mon. bezahlt', '12Mon', '12 M.', '12 Mte'],
    ...['verlängert bis März', 'Rest 20 Tage', 'noch 20 Tage'],
    ...['noch bis nächste Woche', 'bezahlt bis Mitte Jan', 'bezahlt Jan 27'],
    ...['bezahlt 1/27', '1.27', '01/27', 'opłacone do końca stycznia'],
    ...['opłacone na rok', 'opłacone za grudzień', 'zapłacił za 3 miesiące'],
    ...['abonament 12 m-cy', 'abonament roczny', 'rok', 'na pół roku', 'do wiosny'],
    ...['do 15-go', 'do 15', '30 dni', 'koniec w grudniu', 'koniec grudnia'],
    ...['kończy sie 1 stycznia', 'ważny do: styczeń', 'pago até dezembro'],
    ...['pago dezembro', 'pago 12 meses', 'paga anual', 'vence dia 10', 'vence 10/12'],
    ...['vence em 3 meses', 'válido 1 ano', 'plano anual', 'plano 12m'],
    ...['mensalidade dezembro', 'até o Natal', 'ate fim do mes'],
    ...['fim do contrato dezembro', 'pagado diciembre', 'pagado hasta diciembre'],
    ...['pagó 3 meses', '1 año', 'un año', 'seis meses', 'suscripción 6m'],
    ...['caduca en enero', 'caduca 12/27', 'termina en verano', 'renovar en enero'],
    ...['renovar enero', 'renew in January', 'renew Jan', 'due Jan', 'due 15th'],
    ...['due on the 1st', 'next payment Feb', 'next payment 5', '6 ay', '6 aylık'],
    ...['1 yıllık', 'bir yıllık', 'yıllık', 'bitiş Aralık', 'bitiş: 31 Aralık'],
    ...['Aralık sonu', "Ocak'a kadar", "2027'ye kadar", 'aralığa kadar'],
    ...['yılbaşına kadar', '31 aralık', 'ödendi ocak', '3 aylık ödendi', "'28"],
    ...['2027/28', '2027-28', '12mo', '12mths', '1yr', '1 yr sub', 'yearly sub'],
    ...['6 months paid', 'paid for a year', 'paid for the season', 'season 26/27'],
    ...['Saison 26/27'],
    ...['зах.до 31.12', 'valid another month', 'ends soon', 'runs out in Dec'],
    ...['expires at xmas', 'good til March', 'good until summer', 'good thru 06/27'],
    ...['ok till June', '3mo left', '2 weeks left', '20 days remaining'],
    ...['one more month', 'half a year', '6 mesi', 'fino a giugno', 'scade a marzo'],
    ...["jusqu'en mars", 'expire en mars', 'tot maart', 'nog 3 maanden', '1 jaar'],
    ...['do czerwca', 'do 06.27', '2 lata', 'rok czasu', 'kwartał', 'na 3 mies'],
    ...['ostatni miesiąc', '3 meses pagados', 'hasta fin de año', 'vence el 5'],
    ...['vto 05/27', 'próximo pago enero', 'um trimestre', 'semestre', 'venc. 15'],
    ...['venc 10/06', 'até 10/06', 'válido até junho', 'Ende März', 'Anfang 2027'],
    ...['Mitte Juni', 'Sommer 27', 'Q1/27', 'KW12', 'nächsten Monat'],
    ...['bis zum Geburtstag', 'bis Ostern', '2 Jahre', '2J', '24 Monate', '24M'],
    ...['zwei Jahre', 'Zahlt bis Juni', 'bez. bis 6/27', 'bez. 12/26', '6/27', '06.27'],
    ...['Jun27', 'Jun-27'],
  ])('%s says an end in words', (comment) => {
    expect(judge(comment)).toEqual(['DAY_UNREADABLE']);
  });

  test.each([
    ...['0171-2345678', 'paid cash', 'Kowalski 2 TV', '2 boxes', 'Hans 50 EUR'],
    ...['room 12', 'since 2019', 'Jürgen aus Köln', 'Herr Müller, 2. Stock'],
    ...['Frau August', 'June Carter', 'Jan Kowalski', 'Jan', 'Jan 2 TV'],
    ...['Jan, Tel. 0171 2345678', 'Marek', 'Maja z bloku 5', 'Marco 3 boxes', 'Julio'],
    ...['Mai Nguyen', 'Kunde seit 2019', 'Kunde seit 3 Jahren', 'klient od 2020'],
    ...['klient od 3 lat', 'cliente desde 2018', 'cliente há 2 anos', 'do not delete'],
    ...['nicht löschen!', 'nie usuwać', 'não apagar', 'no borrar', 'silme'],
    ...['never disable', '10 EUR per month', '10 EUR im Monat', '10€/Monat'],
    ...['20 zł na miesiąc', 'zahlt bar', 'płaci gotówką', 'paga em dinheiro'],
    ...['paga en efectivo', 'nakit ödüyor', 'Block 5', 'Blok 7 m. 12'],
    ...['Rua 25 de Abril 12', 'ul. 3 Maja 12', 'neighbour of Anna'],
    ...['brother of kunde12', 'vu+ duo2', 'Dreambox 800', 'Octagon SF8008'],
    ...['VU+ Zero 4K', 'Enigma2 OpenATV 7.3', 'oscam 11725', 'CCcam 2.3.2'],
    ...['IP 192.168.1.20', 'tel 600 700 800', '+48 600-700-800', '+49 171 2345678'],
    ...['tel. 22 620 12 34', 'mail anna@example.org', 'kunde2027'],
    ...['box 2 = Schlafzimmer', '3 Karten, 2 Boxen', 'Wohnzimmer / Küche'],
    ...['HD+ und Sky', 'only sports', 'no sports', 'test', 'Testlinie', 'trial', 'VIP'],
    ...['family', 'free', 'gratis', 'Freund', 'Chef', 'my own', 'reseller Adam'],
    ...['Hans Lang', 'Stefan Stoppa', 'Sperling', 'Losch', 'Banner', 'Kapitän Kündig'],
    ...['Bloch', 'cutoff', 'offline box', 'Kick-off Bar', '10% off', 'TV in bar'],
    ...['card 3', 'line 4', 'nr 2027', 'PIN 2027', '1st floor', '5th floor', '2nd box'],
    ...['MAC 00:1A:79:3C:4D:5E', 'mag 250', 'tel 0171/2345678', '12 EUR', '1 TV'],
    ...['1x SD 2x HD', 'A-12', 'Wohnung 3 m Kabel', 'alter Kunde', 'neu'],
    ...['old customer', 'nowy klient', 'do João', 'para Maria', 'casa da mãe'],
    ...['bar do Zé', 'hijo de Carlos', 'Ahmet abi', 'yeni müşteri', 'dayımın oğlu'],
    ...['5 arkadaş', '3 kutu'],
    ...['Thomas Berger', 'T. Berger, 0171/1234567', 'Wohnzimmer', 'Oma'],
    ...['Schlafzimmer 2', 'Kunde 12', 'Zahlt bar, immer pünktlich'],
    ...['Freundschaftspreis', '15€ PayPal', 'PayPal: max@example.org'],
    ...['WhatsApp +49 171 1234567', 'Nachbar von Otto', 'Garage'],
    ...['Ferienhaus Mallorca', 'Hotel Adler Zimmer 12', 'Kneipe zum Anker'],
    ...['zum Goldenen Hirsch', 'Vermittelt durch Jan', 'über Mai-Ling'],
    ...['wohnt in der Maistraße', 'Septemberweg 3', 'von Kollege', 'durch Olaf'],
    ...['HD01, HD02', 'ORF+ S02', 'Unitymedia', 'V14', '2x Dreambox', 'Box: Gigablue'],
    ...['Formuler Z8', 'nutzt IPTV', 'zahlt monatlich', 'zahlt jährlich'],
    ...['zahlt am Ersten', 'pays on the 1st', 'pays monthly', 'Stammkunde'],
    ...['guter Kunde', 'Chef hat gesagt ok', 'Testkunde bitte nicht anfassen'],
    ...['bitte nicht sperren', 'wichtig! nicht abschalten', 'Pan Nowak', 'Pani Ania'],
    ...['Kowalski ul. Długa 5', 'Kowalczyk z pracy', 'brat Tomka', 'kuzyn'],
    ...['szwagier Jarka', 'sąsiad z dołu', '2 dekodery', 'dwa tunery'],
    ...['płaci przelewem', 'płaci co miesiąc', 'stały klient', 'gratis dla rodziny'],
    ...['pan Marzec', 'Lipiec Adam', 'Maj Krzysztof', 'tel. 501 222 333'],
    ...['tel 0048601222333', 'nie kasować', 'nie ruszać', 'seu Antônio', 'dona Maria'],
    ...['primo do Pedro', 'vizinho', 'bar da esquina', 'pizzaria', '2 pontos'],
    ...['3 telas', 'quarto e sala', 'celular 11 98765-4321', 'tel (11) 98765-4321'],
    ...['paga via pix', 'paga todo dia 10', 'não mexer', 'não bloquear'],
    ...['cliente antigo', 'amigo', 'loja centro', 'Av. 9 de Julho 1200'],
    ...['Rua 15 de Novembro 300', 'don Julio', 'señora García', 'el primo de Marta'],
    ...['2 decos', 'bar Pepe', 'C/ Mayor 5', 'móvil 600 123 456', 'paga por bizum'],
    ...['no tocar', 'Ahmet Yılmaz', 'Mehmet usta', 'komşu', '2 cihaz', 'salon'],
    ...['tel 0532 123 45 67', 'Ekim Sokak 5', 'müşteri no 45', 'elden ödüyor'],
    ...['Ocak Ahmet', 'IP: 84.12.33.120', 'port 12000', 'vpn user', 'Sat 19.2E'],
    ...['Astra 19.2', 'Hotbird 13E', '19.2 + 13.0', '25cm LNB', '80cm dish'],
    ...['room 2027', 'house 5/7', 'flat 3/12', 'No. 5/26', '24h', '1:1', '100 Mbit'],
  ])('%s is only a note', (comment) => {
    expect(judge(comment)).toEqual(['on']);
  });

  test('a row that is switched off may say so', () => {
    const read = readLinesFile(Buffer.from('#F: a b # gesperrt\n'), { today: clock.today });
    expect(read).toMatchObject({ file: { switchedOff: [{ isSuspended: true, fault: null }] } });
  });

  test('what a comment says beside its end is only a note', () => {
    expect(judge('until 31-12-2027, has not paid June')).toEqual(['on 2027-12-31']);
    expect(judge('ul. 3 Maja 12, do 31-12-2027')).toEqual(['on 2027-12-31']);
    expect(judge('do not delete, until 31-12-2027')).toEqual(['on 2027-12-31']);
    expect(judge('suspended 01-01-2026, until 31-12-2027')).toEqual(['STATE_IN_NOTES']);
  });
});

describe('a CSV with headings and cells of its own', () => {
  test.each([
    ['user,pass,STATUS_CODE', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,desactivado', 'a,b,1', 'c,d,0', ['off', 'on']],
    ['user,pass,is_on', 'a,b,1', 'c,d,0', ['on', 'off']],
    ['user,pass,on_off', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,on_off', 'a,b,off', 'c,d,off', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,is_allowed', 'a,b,1', 'c,d,0', ['on', 'off']],
    ['user,pass,access', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,access', 'a,b,0', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,access', 'a,b,denied', 'c,d,denied', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,hidden', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,locked', 'a,b,1', 'c,d,0', ['off', 'on']],
    ['user,pass,frozen', 'a,b,1', 'c,d,0', ['off', 'on']],
    ['user,pass,disabled', 'a,b,off', 'c,d,on', ['STATE_UNKNOWN', 'STATE_UNKNOWN']],
    ['user,pass,disabled', 'a,b,never', 'c,d,none', ['STATE_UNKNOWN', 'STATE_UNKNOWN']],
    ['user,pass,disabled', 'a,b,-', 'c,d,na', ['STATE_UNKNOWN', 'STATE_UNKNOWN']],
    ['user,pass,disabled', 'a,b,yes', 'c,d,no', ['off', 'on']],
    ['user,pass,foo', 'a,b,yes', 'c,d,no', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,foo', 'a,b,gesperrt', 'c,d,ok', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,foo', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,foo', 'a,b,x', 'c,d,', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,foo', 'a,b,0', 'c,d,0', ['on', 'on']],
    ['user,pass,Zugang', 'a,b,ja', 'c,d,nein', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,Sperre', 'a,b,ja', 'c,d,nein', ['off', 'on']],
    ['user,pass,Freigabe', 'a,b,ja', 'c,d,nein', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,Freigeschaltet', 'a,b,ja', 'c,d,nein', ['on', 'off']],
    ['user,pass,Kunde gesperrt', 'a,b,ja', 'c,d,nein', ['off', 'on']],
    ['user,pass,gekündigt zum', 'a,b,31.12.2026', 'c,d,', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,Abgemeldet', 'a,b,ja', 'c,d,', ['off', 'on']],
    ['user,pass,blokada', 'a,b,tak', 'c,d,nie', ['off', 'on']],
    ['user,pass,zablokowano', 'a,b,tak', 'c,d,nie', ['off', 'on']],
    ['user,pass,czy aktywny', 'a,b,tak', 'c,d,nie', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,dostęp', 'a,b,tak', 'c,d,nie', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,działa', 'a,b,tak', 'c,d,nie', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,stan konta', 'a,b,aktywne', 'c,d,zamknięte', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,status', 'a,b,aktywne', 'c,d,wstrzymane', ['on', 'off']],
    ['user,pass,status', 'a,b,Aktiv', 'c,d,Pausiert', ['on', 'off']],
    ['user,pass,status', 'a,b,ativo', 'c,d,suspenso', ['on', 'off']],
    ['user,pass,situação', 'a,b,ativo', 'c,d,cortado', ['on', 'off']],
    ['user,pass,situação', 'a,b,em dia', 'c,d,em atraso', ['STATE_UNKNOWN', 'STATE_UNKNOWN']],
    ['user,pass,liberado', 'a,b,sim', 'c,d,não', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,bloqueio', 'a,b,sim', 'c,d,não', ['off', 'on']],
    ['user,pass,estado', 'a,b,activo', 'c,d,de baja', ['on', 'off']],
    ['user,pass,baja', 'a,b,si', 'c,d,no', ['off', 'on']],
    ['user,pass,habilitado', 'a,b,sí', 'c,d,no', ['on', 'off']],
    ['user,pass,cortado', 'a,b,si', 'c,d,no', ['off', 'on']],
    ['user,pass,durum', 'a,b,aktif', 'c,d,pasif', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,aktif', 'a,b,evet', 'c,d,hayır', ['on', 'off']],
    ['user,pass,kapalı', 'a,b,evet', 'c,d,hayır', ['off', 'on']],
    ['user,pass,iptal', 'a,b,1', 'c,d,0', ['off', 'on']],
    ['user,pass,actif', 'a,b,oui', 'c,d,non', ['on', 'off']],
    ['user,pass,suspendu', 'a,b,oui', 'c,d,non', ['off', 'on']],
    ['user,pass,attivo', 'a,b,si', 'c,d,no', ['on', 'off']],
    ['user,pass,sospeso', 'a,b,si', 'c,d,no', ['off', 'on']],
    ['user,pass,actief', 'a,b,ja', 'c,d,nee', ['on', 'off']],
    ['user,pass,geblokkeerd', 'a,b,ja', 'c,d,nee', ['off', 'on']],
    ['user,pass,live', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,running', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,works', 'a,b,yes', 'c,d,no', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,ok', 'a,b,yes', 'c,d,no', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,paid', 'a,b,yes', 'c,d,no', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,bezahlt', 'a,b,ja', 'c,d,nein', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,state', 'a,b,Live', 'c,d,Dead', ['STATE_UNKNOWN', 'off']],
    ['user,pass,status', 'a,b,A', 'c,d,S', ['STATE_UNKNOWN', 'STATE_UNKNOWN']],
    ['user,pass,foo', 'a,b,inactive', 'c,d,', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,foo', 'a,b,✓', 'c,d,✗', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,foo', 'a,b,TRUE', 'c,d,FALSE', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,Kommentar', 'a,b,gesperrt', 'c,d,', ['STATE_IN_NOTES', 'on']],
    ['user,pass,Notiz,status', 'a,b,gesperrt,aktiv', 'c,d,,aktiv', ['on', 'on']],
    [
      'user,pass,Bemerkung,Ablauf',
      'a,b,bis 31.12.2027,',
      'c,d,,31.12.2027',
      ['DAY_ELSEWHERE', 'on 2027-12-31'],
    ],
    [
      'user,pass,uwagi,expiry',
      'a,b,do końca roku,',
      'c,d,,2027-01-01',
      ['DAY_ELSEWHERE', 'on 2027-01-01'],
    ],
    ['user,pass,Info', 'a,b,gesperrt', 'c,d,', ['STATE_IN_NOTES', 'on']],
    ['user,pass,name', 'a,b,Anna (gesperrt)', 'c,d,Hans', ['STATE_IN_NOTES', 'on']],
    ['user,pass,name', 'a,b,Anna bis 31.12.2027', 'c,d,Hans', ['DAY_ELSEWHERE', 'on']],
    ['user,pass,Abo', 'a,b,12 Monate', 'c,d,', ['DAY_ELSEWHERE', 'on']],
    ['user,pass,bis', 'a,b,31.12.2027', 'c,d,2027-12-31', ['on 2027-12-31', 'on 2027-12-31']],
    ['user,pass,fällig', 'a,b,31.12.2027', 'c,d,2027-12-31', ['DAY_ELSEWHERE', 'DAY_ELSEWHERE']],
    [
      'user,pass,gültig bis',
      'a,b,31.12.2027',
      'c,d,2027-12-31',
      ['on 2027-12-31', 'on 2027-12-31'],
    ],
    ['user,pass,valid_to', 'a,b,31.12.2027', 'c,d,2027-12-31', ['on 2027-12-31', 'on 2027-12-31']],
    ['user,pass,Ende', 'a,b,31.12.2027', 'c,d,2027-12-31', ['on 2027-12-31', 'on 2027-12-31']],
    [
      'user,pass,vencimento',
      'a,b,31.12.2027',
      'c,d,2027-12-31',
      ['on 2027-12-31', 'on 2027-12-31'],
    ],
    ['user,pass,bitiş', 'a,b,31.12.2027', 'c,d,2027-12-31', ['on 2027-12-31', 'on 2027-12-31']],
    ['user,pass,caducidad', 'a,b,31.12.2027', 'c,d,2027-12-31', ['on 2027-12-31', 'on 2027-12-31']],
    ['user,pass,expiry_unix', 'a,b,1830297600', 'c,d,0', ['on 2028-01-01', 'on']],
    ['user,pass,renewal', 'a,b,31.12.2027', 'c,d,2027-12-31', ['DAY_ELSEWHERE', 'DAY_ELSEWHERE']],
    ['user,pass,expired_at', 'a,b,31.12.2025', 'c,d,', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,datum', 'a,b,31.12.2025', 'c,d,', ['DAY_ELSEWHERE', 'on']],
    ['user,pass,sub_active', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,isOnline', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,online', 'a,b,yes', 'c,d,no', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,Ist aktiv', 'a,b,ja', 'c,d,nein', ['on', 'off']],
    ['user,pass,account_enabled', 'a,b,true', 'c,d,false', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,acct_status', 'a,b,OK', 'c,d,SUSP', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,status', 'a,b,OK', 'c,d,NOK', ['on', 'STATE_UNKNOWN']],
    ['user,pass,status', 'a,b,200', 'c,d,403', ['STATE_UNKNOWN', 'STATE_UNKNOWN']],
    ['user,pass,status_id', 'a,b,1', 'c,d,3', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,state', 'a,b,1', 'c,d,2', ['on', 'STATE_UNKNOWN']],
    ['user,pass,State', 'a,b,NY', 'c,d,CA', ['STATE_UNKNOWN', 'STATE_UNKNOWN']],
    ['user,pass,deny', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,blacklisted', 'a,b,1', 'c,d,0', ['off', 'on']],
    ['user,pass,kicked', 'a,b,1', 'c,d,0', ['off', 'on']],
    ['user,pass,killed', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,dead', 'a,b,1', 'c,d,0', ['off', 'on']],
    ['user,pass,void', 'a,b,1', 'c,d,0', ['off', 'on']],
    ['user,pass,unpaid', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,overdue', 'a,b,yes', 'c,d,no', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,Gesperrt seit', 'a,b,2026-01-01', 'c,d,', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,sperrdatum', 'a,b,2026-01-01', 'c,d,', ['DAY_ELSEWHERE', 'on']],
    ['user,pass,ban_until', 'a,b,2027-01-01', 'c,d,', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,not_active', 'a,b,1', 'c,d,0', ['off', 'on']],
    ['user,pass,notactive', 'a,b,1', 'c,d,0', ['off', 'on']],
    ['user,pass,not_suspended', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,unsuspended', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,disabled_by', 'a,b,admin', 'c,d,', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,disabled_reason', 'a,b,shares', 'c,d,', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,wyłączono', 'a,b,x', 'c,d,', ['off', 'on']],
    ['user,pass,aktywność', 'a,b,tak', 'c,d,nie', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,Aktywna?', 'a,b,TAK', 'c,d,NIE', ['on', 'off']],
    ['user,pass,Ativo?', 'a,b,S', 'c,d,N', ['STATE_UNKNOWN', 'off']],
    ['user,pass,ativo', 'a,b,1', 'c,d,', ['on', 'STATE_UNKNOWN']],
    ['user,pass,active', 'a,b,1', 'c,d,', ['on', 'STATE_UNKNOWN']],
    ['user,pass,active', 'a,b,on', 'c,d,off', ['on', 'off']],
    ['user,pass,active', 'a,b,2027-01-01', 'c,d,', ['STATE_UNKNOWN', 'STATE_UNKNOWN']],
    ['user,pass,enabled', 'a,b,Y', 'c,d,N', ['on', 'off']],
    ['user,pass,Suspendido', 'a,b,Sí', 'c,d,No', ['off', 'on']],
    ['user,pass,Dado de baja', 'a,b,Sí', 'c,d,No', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,de_baja', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,Fecha baja', 'a,b,2026-01-01', 'c,d,', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,Pasif mi', 'a,b,evet', 'c,d,hayır', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,Durumu', 'a,b,açık', 'c,d,kapalı', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,engelli', 'a,b,1', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,Notes', 'a,b,CANCELLED', 'c,d,fine', ['STATE_IN_NOTES', 'on']],
    [
      'user,pass,Notes,expiry',
      'a,b,wants to cancel,2027-01-01',
      'c,d,x,2027-01-01',
      ['STATE_IN_NOTES', 'on 2027-01-01'],
    ],
    ['user,pass,Notes,enabled', 'a,b,abo 1 Jahr,1', 'c,d,,1', ['DAY_ELSEWHERE', 'on']],
    [
      'user,pass,expiry,Notes',
      'a,b,never,until June',
      'c,d,2027-01-01,until June',
      ['DAY_ELSEWHERE', 'on 2027-01-01'],
    ],
    ['user,pass,expiry', 'a,b,', 'c,d,2027-01-01', ['on', 'on 2027-01-01']],
    ['user,pass,expiry', 'a,b,unbegrenzt', 'c,d,nie', ['DAY_UNREADABLE', 'DAY_UNREADABLE']],
    ['user,pass,expiry', 'a,b,31.12.', 'c,d,12 months', ['DAY_UNREADABLE', 'DAY_UNREADABLE']],
    ['user,pass,days', 'a,b,30', 'c,d,0', ['DAY_ELSEWHERE', 'on']],
    ['user,pass,days_left', 'a,b,30', 'c,d,0', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,Restlaufzeit', 'a,b,30 Tage', 'c,d,0', ['DAY_ELSEWHERE', 'on']],
    ['user,pass,Laufzeit', 'a,b,12', 'c,d,1', ['on', 'on']],
    ['user,pass,remaining', 'a,b,12 d', 'c,d,', ['DAY_ELSEWHERE', 'on']],
    ['user,pass,package', 'a,b,12 Months Full', 'c,d,1 Month', ['DAY_ELSEWHERE', 'DAY_ELSEWHERE']],
    ['user,pass,phone', 'a,b,01-02-2027', 'c,d,0171 2345678', ['DAY_ELSEWHERE', 'on']],
    ['user,pass,c', 'a,b,gesperrt bis 2027-01-01', 'c,d,', ['STATE_COLUMN', 'STATE_COLUMN']],
    ['user,pass,exp_month', 'a,b,12', 'c,d,1', ['DAY_ELSEWHERE', 'DAY_ELSEWHERE']],
    [
      'user,pass,exp,exp_year',
      'a,b,,2027',
      'c,d,2027-01-01,2027',
      ['DAY_ELSEWHERE', 'on 2027-01-01'],
    ],
  ])('%s: %s and %s are %j', (headings, first, second, expected) => {
    expect(linesIn(`${headings}\n${first}\n${second}\n`).map(told)).toEqual(expected);
  });

  test('whose columns are flags of other panels is taken', () => {
    const xcvm = [
      'id,member_id,username,password,last_ip,exp_date,admin_enabled,enabled,admin_notes,reseller_notes,bouquet,allowed_outputs,max_connections,is_restreamer,is_trial,is_mag,is_e2,is_stalker,is_isplock,allowed_ips,allowed_ua,created_at,pair_id,force_server_id,as_number,isp_desc,forced_country,bypass_ua,play_token,last_expiration_video,access_token,contact,package_id,last_activity,updated,isp',
      '1,2,a,b,1.2.3.4,1830297600,1,1,NULL,x,[1],[1],1,0,0,1,0,1,0,[],[],1700000000,NULL,0,AS1,Telekom,DE,0,abc,NULL,t,tel,1,1700000001,2024-01-01 00:00:00,Telekom',
      '2,3,c,d,,NULL,1,1,NULL,x,[2],[2],0,1,1,0,1,0,1,["1.2.3.4"],["VLC"],1700000000,5,1,AS2,Vodafone,PL,1,def,1700000000,u,mail,2,1700000002,2025-01-01 00:00:00,Voda',
    ];
    const cmum = [
      'user;password;displayname;ipmask;profiles;maxconn;admin;enabled;mapexclude;debug;comment;email;customvalues;ecmrate;startdate;expiredate;usrgroup;boxtype;macaddress;serialnumber;added;addedby;changed;changedby',
      'a;b;P;*;sat1 sat2;1;false;1;false;true;cash;p@e.org;;1;2026-01-01;2027-01-01;A;vu-solo;00:00:5E:00:53:01;SN1;2026-01-01 10:00:00;boss;2026-06-01 11:00:00;boss',
      'c;d;;*;sat1;0;true;1;true;false;;;;0;0000-00-00;0000-00-00;;;;;2026-01-01 10:00:00;boss;2026-01-01 10:00:00;',
    ];
    const oscam = [
      'user,pwd,expdate,group,uniq,au,max_connections,cccmaxhops,services,caid,allowedprotocols,betatunnel,keepalive,monlevel,sleep,description',
      'a,b,2027-01-01,1,1,1,1,1,x,0100,cccam,1,1,0,60,x',
      'c,d,,2,0,0,3,0,y,0500,newcamd,0,0,1,0,y',
    ];
    const shop = [
      'username,password,expiry,phone,address,city,customer_id,price,currency,box,tariff,last_payment,birthday,paid_at,registered',
      'a,b,,0171-2345678,Rua 25 de Abril 12,Köln,1001,10,EUR,VU+,Sky DE,2026-10-01,1980-05-13,2026-10-01,2020-01-01',
      'c,d,2027-01-01,+48 600 700 800,ul. 3 Maja 12,Łódź,1002,12,PLN,Dreambox,HD+,2026-11-01,1975-01-01,2026-11-01,2021-01-01',
    ];
    expect(
      [xcvm, cmum, oscam, shop].map((rows) => linesIn(`${rows.join('\n')}\n`).map(told)),
    ).toEqual([
      ['on 2028-01-01', 'on'],
      ['on 2027-01-01', 'on'],
      ['on 2027-01-01', 'on'],
      ['on', 'on 2027-01-01'],
    ]);
  });

  test('without headings waits, too, until each column of yes and no is named', () => {
    const read = readLinesFile(Buffer.from('a;pw;1\nb;pw;0\n'), clock);
    if ('problem' in read || read.file.format !== 'csv') throw new Error('no table');
    const { file } = read;
    const judge = (third: 'enabled' | null) =>
      file.rows.map((row) => told(lineOfRow(file, row, ['username', 'password', third], clock)));
    expect(judge(null)).toEqual(['STATE_COLUMN_UNNAMED', 'STATE_COLUMN_UNNAMED']);
    expect(judge('enabled')).toEqual(['on', 'off']);
  });

  test('takes the first note that says something, and names the others', () => {
    const rows = linesIn('user,pass,admin_notes,reseller_notes\na,b,NULL,x\nc,d,y,z\ne,f,,\n');
    expect(rows.map(({ texts, notTaken }) => [texts.notes, notTaken])).toEqual([
      ['x', []],
      ['y', ['reseller_notes']],
      [undefined, []],
    ]);
    // Each of them is read.
    expect(linesIn('user,pass,notes,comment\na,b,cash,gesperrt\n').map(told)).toEqual([
      'STATE_IN_NOTES',
    ]);
  });
});

test.each([
  ['gilt bis 30.06.2027', 'DAY_ELSEWHERE'],
  ['abo 1 Jahr', 'DAY_ELSEWHERE'],
  ['kostenlos, Frau Muñoz (Café)', 'on'],
  ['angelegt 01.02.2020', 'on'],
])('an account of OSCam without a day and with the description %s: %s', (description, end) => {
  const text = `[account]\nuser = a\npwd = b\ndescription = ${description}\n`;
  expect(linesIn(text).map(told)).toEqual([end]);
  expect(linesIn(`${text}expdate = 2027-05-01\n`).map(told)).toEqual(['on 2027-05-01']);
});
