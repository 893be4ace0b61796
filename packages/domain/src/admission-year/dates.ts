/** Days to the same weekday of the next year. */
export const sameWeekdayNextYear = 364
