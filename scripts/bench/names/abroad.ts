/**
 * Places abroad as people write them: countries, and cities where many Filipinos are. The countries are Unicode's, by which
 * `isAbroad` knows them too, so only the cities show how many other places are missed.
 */
export function foreignNames(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const countries = letters.flatMap((a) => letters.flatMap((b) => (a + b === 'PH' ? [] : (names.of(a + b) ?? []))));
  // Former codes of countries have the names of present ones.
  const plain = [...new Set(countries)]
    .filter((name) => !/unknown|Pseudo/i.test(name))
    .map((name) => name.replaceAll(' & ', ' and '));
  return [...plain, ...plain.map((name) => name.toUpperCase()), ...CITIES];
}

const CITIES = [
  'Dubai, UAE',
  'Abu Dhabi, UAE',
  'Riyadh, KSA',
  'Jeddah, Saudi Arabia',
  'Doha, Qatar',
  'Kuwait City, Kuwait',
  'Manama, Bahrain',
  'Hong Kong SAR',
  'Kowloon, Hong Kong',
  'Tokyo, Japan',
  'Osaka, Japan',
  'Nagoya, Japan',
  'Seoul, South Korea',
  'Taipei, Taiwan',
  'Singapore',
  'Kuala Lumpur, Malaysia',
  'Sydney, Australia',
  'Melbourne, Australia',
  'Toronto, Canada',
  'Vancouver, Canada',
  'London, UK',
  'London, United Kingdom',
  'Rome, Italy',
  'Milan, Italy',
  'Madrid, Spain',
  'Barcelona, Spain',
  'Paris, France',
  'Los Angeles, USA',
  'San Francisco, USA',
  'Las Vegas, Nevada, USA',
  'Houston, Texas, USA',
  'Honolulu, Hawaii, USA',
  'Guam, USA',
  'San Diego, California, USA',
  'Jersey City, New Jersey, USA',
  'New York, USA',
  'Chicago, Illinois, USA',
  'Auckland, New Zealand',
  'Tel Aviv, Israel',
  'Beirut, Lebanon',
  'Amman, Jordan',
  'Muscat, Oman',
  'San Jose, Costa Rica',
  'Athens, Greece',
  'Oslo, Norway',
  'Dubai',
  'Riyadh',
  'Jeddah',
  'Dammam',
  'Doha',
  'Tokyo',
  'Osaka',
  'Seoul',
  'Taipei',
  'Kuala Lumpur',
  'Sydney',
  'Toronto',
  'London',
];
