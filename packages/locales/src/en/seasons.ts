/** The history of the seasons and the forecast that rests on it. */
export const seasons = {
  title: 'How many will enrol?',
  basis: 'Expected at the end of the season {{year}}, from {{earlier}} on the same day of the season.',
  range: 'Four of five seasons end within the range from “At least” to “At most”.',
  never:
    'There is no forecast: no earlier season had a registration on this day of the season, so nothing says how many of today’s will enrol.',
  neverFiltered:
    'There is no forecast for this choice: no earlier season had a registration like these on this day of the season.',
  total: 'Total',
  noHistory: 'without a history of its own',
  columns: {
    programme: 'Study programme',
    submitted: 'Submitted so far',
    enrolled: 'Enrolled so far',
    places: 'Places',
    low: 'At least',
    expected: 'Expected',
    high: 'At most',
    came: 'Enrolled',
    tested: 'Last year: said, came',
    lastYear: '{{column}}, {{year}}',
  },
  testedOn: 'Last year as of',
  tested:
    'On the same day of {{year}} ({{day}}) this method would have said {{expected}} ({{low}} to {{high}}); {{came}} enrolled{{error}}.',
  tooHigh: ', {{share}} fewer',
  tooLow: ', {{share}} more',
  exact: ', as it said',
  within: 'For {{within}} of {{of}} study programmes, the number was within the range.',
  untested: 'How wrong the method was last year is not known: there is only one earlier season.',
  saidAndCame: '{{expected}} ({{low}}–{{high}}), came {{came}}',
  counting:
    'The forecast takes today’s submitted registrations that are not enrolled yet, and expects the same share to enrol as on the same day of earlier seasons, counted up to the close of the last wave; people who register later are included. The fewer registrations a study programme has, the closer its rate is to that of the whole university. The range shows how much study programmes and years differ; it cannot know what is new this year. Periods and past days chosen above do not change it.',
  keptUntil:
    'Past days are read from the history, which is kept up to {{day}} and never changed; what happened since is counted.',
  keptNever: 'No day of the history is kept yet, so past days are counted.',
  keep: 'Keep until yesterday',
  keptNow_one: '{{count}} day was kept.',
  keptNow_other: '{{count}} days were kept.',
  keptAlready: 'Every day up to {{day}} is kept already.',
}
