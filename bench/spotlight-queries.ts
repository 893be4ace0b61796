/** Staff searches, growing letter by letter: names, codes, phone numbers, schools, bill and payment numbers. */
export const spotlightQueries = [
  'pu',
  'putri',
  'putri te',
  'lestari',
  'percontohan 12',
  '27g1d0',
  '27g1d001234',
  '0812000',
  '081200012345',
  'camaba123',
  'sma negeri contoh 2',
  'sman 4',
  '123456',
  'inv-2027',
] as const
