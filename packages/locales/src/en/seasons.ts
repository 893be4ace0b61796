/** The history of the seasons and the forecast that rests on it. */
export const seasons = {
  title: 'How many will enrol?',
  basis: 'Expected at the end of the season {{year}}, from {{earlier}} on the same day of the season.',
  range: 'Four out of five seasons end within the range from “At least” to “At most”.',
  never:
    'There is no forecast: no earlier season had a registration on this day of the season, so there is no basis for saying how many of today’s registrations will enrol.',
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
    tested: 'Last year: forecast, actual',
    lastYear: '{{column}}, {{year}}',
  },
  testedOn: 'Last year as of',
  tested:
    'On the same day of {{year}} ({{day}}) this method would have forecast {{expected}} ({{low}} to {{high}}); {{came}} enrolled{{error}}.',
  tooHigh: ', {{share}} fewer',
  tooLow: ', {{share}} more',
  exact: ', as forecast',
  within: 'For {{within}} of {{of}} study programmes, the number was within the range.',
  untested: 'How wrong the method was last year is not known: there is only one earlier season.',
  saidAndCame: '{{expected}} ({{low}}–{{high}}), actual {{came}}',
  counting:
    'The forecast takes today’s submitted registrations that are not enrolled yet, and expects the same share to enrol as on the same day of earlier seasons, counted up to the close of the last wave; people who register later are included. The fewer registrations a study programme has, the closer its rate is to that of the whole university. The range shows how much study programmes and years differ; it cannot know what is new this year. Periods and past days chosen above do not change it.',
  keptUntil:
    'Past days come from the history, which is stored up to {{day}} and never changed; later days are counted from the registrations.',
  keptNever: 'No day of the history is stored yet, so past days are counted from the registrations.',
  keep: 'Store days until yesterday',
  keptNow_one: '{{count}} day was stored.',
  keptNow_other: '{{count}} days were stored.',
  keptAlready: 'Every day up to {{day}} is already stored.',
}
