import type { WindowsEncoding } from './detect-encoding.ts';

/** Headers, page titles and anchors as exports contain them, in languages of each code page. */
export const languageSamples: Record<string, { encoding: WindowsEncoding; texts: string[] }> = {
  Russian: {
    encoding: 'Windows-1251',
    texts: [
      'Исходная страница',
      'Ссылающаяся страница',
      'Купить ссылки недорого – каталог сайтов 2024',
      'Её новый блог о здоровье',
      'http://пример.рф/страница',
      'Как выбрать окна? Отзывы и цены',
      'ДОСКА ОБЪЯВЛЕНИЙ',
      '«Лучшие сайты» № 1 в России',
      'форум вебмастеров',
      'SEO продвижение, реклама и трафик',
    ],
  },
  Ukrainian: {
    encoding: 'Windows-1251',
    texts: [
      'Сторінка, що посилається',
      'Купити посилання в Києві',
      'Її сайт про здоров’я та їжу',
      'http://приклад.укр/новини',
      'Найкращі ціни на вікна',
      'Європейський каталог підприємств',
      'відгуки',
      'ЩО ТАКЕ ҐРАНТ?',
    ],
  },
  Bulgarian: {
    encoding: 'Windows-1251',
    texts: [
      'Препращаща страница',
      'Евтини връзки за вашия сайт',
      'Къде да купя дървен материал',
      'Обяви и новини от България',
      'http://пример.бг/начало',
      'Най-добрите хотели в София',
      'отзиви',
    ],
  },
  Polish: {
    encoding: 'Windows-1250',
    texts: [
      'Strona źródłowa',
      'Strona odsyłająca',
      'Najtańsze noclegi nad morzem – zarezerwuj już dziś',
      'Usługi księgowe Łódź i Kraków',
      'POŻYCZKI BEZ BIK',
      'Pięć sposobów na zdrową żywność',
      'Jak zdobyć linki? Poradnik właściciela strony',
      'Święta w górach',
    ],
  },
  Czech: {
    encoding: 'Windows-1250',
    texts: [
      'Odkazující stránka',
      'Levné půjčky ihned – přehled společností',
      'Příspěvky na téma zdraví',
      'Nejlepší české weby',
      'Žluťoučký kůň',
      'ŘEŠENÍ PRO VÁŠ E-SHOP',
      'Ubytování v Krkonoších',
    ],
  },
  Hungarian: {
    encoding: 'Windows-1250',
    texts: [
      'Hivatkozó oldal',
      'Olcsó szállás a Balatonnál',
      'Űrhajósok és tűzoltók',
      'Időjárás előrejelzés hétfőre',
      'A legjobb könyvelő Győrben',
      'Ingyenes linkgyűjtemény – küldje be oldalát',
      'Egészség, szépség, fürdők',
    ],
  },
  Romanian: {
    encoding: 'Windows-1250',
    texts: [
      'Pagină sursă',
      'Cele mai bune oferte în Bucureşti',
      'Ştiri şi sfaturi pentru sănătate',
      'Cumpără linkuri ieftine fără riscuri',
      'Cursuri de limba engleză şi franceză',
      'Mâncare tradiţională românească',
      'Preţuri mici la ferestre',
    ],
  },
  Croatian: {
    encoding: 'Windows-1250',
    texts: [
      'Stranica koja povezuje',
      'Jeftini smještaj na moru – kuće i sobe',
      'Najčešća pitanja o građevini',
      'Vijesti iz Splita i Šibenika',
      'Kako kupiti više poveznica',
      'Žene, zdravlje i ljepota',
      'Tečaj đačkog plesa',
    ],
  },
  Turkish: {
    encoding: 'Windows-1254',
    texts: [
      'Kaynak sayfa başlığı',
      'Yönlendiren sayfa URL’si',
      'İstanbul’da ucuz tatil fırsatları',
      'Bağlantı satın al – güvenilir siteler',
      'Sağlıklı yaşam için öneriler',
      'ALIŞVERİŞ SİTESİ',
      'Kız arkadaşına çiçek gönder',
      'Türkiye’nin en iyi otelleri',
      'haber ajansı',
    ],
  },
  German: {
    encoding: 'Windows-1252',
    texts: [
      'Verweisende Seite – Übersicht',
      'Günstige Küchen für Ihr Zuhause',
      'Straßenverkehr in München: 50 € gespart',
      '„Schöner wohnen“ – Blog über Möbel',
      'GRÖSSTE AUSWAHL AN SÄGEN',
      'Gesundheit & Wellness in Österreich',
      'Fußball',
    ],
  },
  French: {
    encoding: 'Windows-1252',
    texts: [
      'Page référente',
      'Annuaire généraliste français – référencement gratuit',
      'À propos de l’hôtel',
      'Où dormir près de la forêt ?',
      'Crédit à la consommation : dès 1 000 €',
      '« Les cœurs brisés »',
      'garçon',
      'ACHETER UN VÉLO ÉLECTRIQUE',
    ],
  },
  Spanish: {
    encoding: 'Windows-1252',
    texts: [
      'Página de origen',
      'URL de la página de referencia',
      '¿Cómo comprar enlaces baratos?',
      'Los mejores hoteles de España',
      '¡Ofertas de otoño en línea!',
      'Diseño de jardines en Málaga',
      'CAFÉ Y TÉ PARA NIÑOS',
      'Pingüinos',
    ],
  },
  Portuguese: {
    encoding: 'Windows-1252',
    texts: [
      'Página de referência',
      'Promoções de verão – não perca',
      'Avaliação de imóveis em São Paulo',
      'Criação de sites e otimização',
      'Informações sobre saúde e família',
      'três lições de português',
      'CONSTRUÇÃO CIVIL',
    ],
  },
  Italian: {
    encoding: 'Windows-1252',
    texts: [
      'Perché scegliere la nostra città',
      'Qualità e convenienza: è più facile',
      'Novità per la salute',
      'Offerte lunedì e martedì',
      'Il caffè è servito',
      'dell’università',
    ],
  },
  Swedish: {
    encoding: 'Windows-1252',
    texts: [
      'Länkande sida',
      'Köp billiga resor till Grekland på nätet',
      'Hälsa och träning för alla åldrar',
      'Bästa hotellen i Malmö',
      'LÅN UTAN SÄKERHET',
      'Små hus på landet',
    ],
  },
  Danish: {
    encoding: 'Windows-1252',
    texts: [
      'Henvisende side – åben',
      'Køb billige møbler på nettet',
      'Sundhed og træning',
      'Færøerne',
      'LÅN PENGE I DAG: FÅ SVAR NÅ',
    ],
  },
  English: {
    encoding: 'Windows-1252',
    texts: [
      'What’s new in link building',
      '“Best casinos” of 2024',
      'Top 10 tools — a review',
      'Save €50 on your first order',
      'Read more…',
      'Page 1 – 10 of 200',
      'Café menu',
      'Acme™ widgets',
      '© 2024 Acme',
      '10£ bonus, no deposit',
      '20°C and sunny',
      '7½ tips • 3 tricks',
    ],
  },
};

/** Returns text in an encoding; undefined if the encoding does not have all of its characters. */
export function encodeText(text: string, encoding: WindowsEncoding): Buffer | undefined {
  const bytes = Array.from(text, (character) => charactersOf(encoding).indexOf(character));
  return bytes.includes(-1) ? undefined : Buffer.from(bytes);
}

/** Returns the characters of the 256 bytes of an encoding. */
export function charactersOf(encoding: WindowsEncoding): string {
  return new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
}
